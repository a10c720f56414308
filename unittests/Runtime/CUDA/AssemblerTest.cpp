//===- AssemblerTest.cpp - A ptxas in place of the driver's ---------------===//
//
// On scripts that stand in for ptxas, and through the stand-in driver.
//
//===----------------------------------------------------------------------===//

#include "FakeDriver.h"

#include "Mettle/Runtime/CUDA/Assembler.h"
#include "Mettle/Runtime/CUDA/Context.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace mettle::runtime::cuda;

namespace {

/// An executable script that is called as ptxas is: -arch=A SOURCE -o CODE.
class Script {
public:
  explicit Script(StringRef body) {
    int descriptor;
    cantFail(errorCodeToError(sys::fs::createTemporaryFile("ptxas", "sh", descriptor, path)));
    {
      raw_fd_ostream out(descriptor, /*shouldClose=*/true);
      out << "#!/bin/sh\n" << body << "\n";
    }
    cantFail(errorCodeToError(sys::fs::setPermissions(path, sys::fs::owner_all)));
    remover.setFile(path);
  }
  StringRef file() const { return path; }

private:
  SmallString<128> path;
  FileRemover remover;
};

std::string said(Expected<std::string> code) { return code ? *code : toString(code.takeError()); }

TEST(CUDAAssembler, ReturnsWhatTheProgramWrote) {
  Script script("{ printf '%s ' \"$1\"; cat \"$2\"; } > \"$4\"");
  EXPECT_EQ(said(assemble(script.file(), "text", {9, 0})), "-arch=sm_90a text");
  EXPECT_EQ(said(assemble(script.file(), "text", {8, 6})), "-arch=sm_86 text");
}

TEST(CUDAAssembler, AFailureCarriesItsMessages) {
  Script script("echo 'line 3; error: unknown'; echo 'ptxas fatal' >&2; exit 1");
  EXPECT_EQ(said(assemble(script.file(), "text", {9, 0})),
            "ptxas failed:\nline 3; error: unknown\nptxas fatal");
}

TEST(CUDAAssembler, AProgramThatIsNotThereIsNamed) {
  EXPECT_EQ(said(assemble("/no/such/ptxas", "text", {9, 0})),
            "expected a ptxas to compile with, found '/no/such/ptxas'");
}

using CUDAAssemblerOfContext = FakeDriverTest;

TEST_F(CUDAAssemblerOfContext, TheDriverGetsWhatTheProgramMade) {
  Context context = cantFail(Context::open(driver()));
  EXPECT_NE(toString(context.load("nonsense").takeError()), "");
  Script script("echo .version > \"$4\"");
  context.assembleWith(script.file());
  Expected<Module> module = context.load("nonsense");
  EXPECT_EQ(module ? "" : toString(module.takeError()), "");
}

} // namespace
