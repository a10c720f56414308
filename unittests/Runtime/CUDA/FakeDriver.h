//===- FakeDriver.h - Control of the stand-in CUDA driver -------*- C++ -*-===//
//
// What a test does with the library of FakeDriver.cpp: make one of its functions
// fail, and see that everything that was opened is closed again.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_UNITTESTS_RUNTIME_CUDA_FAKEDRIVER_H
#define METTLE_UNITTESTS_RUNTIME_CUDA_FAKEDRIVER_H

#include "Mettle/Runtime/CUDA/Driver.h"

#include "gtest/gtest.h"

#include <dlfcn.h>

class FakeDriverTest : public testing::Test {
protected:
  static constexpr llvm::StringLiteral library = METTLE_FAKE_CUDA_DRIVER;

  void SetUp() override {
    handle = dlopen(METTLE_FAKE_CUDA_DRIVER, RTLD_NOW | RTLD_LOCAL);
    ASSERT_TRUE(handle) << dlerror();
    fail("", 0);
  }
  void TearDown() override {
    fail("", 0);
    EXPECT_EQ(control<int (*)()>("fakeOpenObjects")(), 0);
    dlclose(handle);
  }

  void fail(const char *function, int code) {
    control<void (*)(const char *, int)>("fakeFail")(function, code);
  }
  int dynamicSharedLimit() { return control<int (*)()>("fakeDynamicSharedLimit")(); }

  std::shared_ptr<const mettle::runtime::cuda::Driver> driver() {
    return llvm::cantFail(mettle::runtime::cuda::Driver::load(library));
  }

private:
  template <typename Function> Function control(const char *name) {
    return reinterpret_cast<Function>(dlsym(handle, name));
  }

  void *handle = nullptr;
};

#endif // METTLE_UNITTESTS_RUNTIME_CUDA_FAKEDRIVER_H
