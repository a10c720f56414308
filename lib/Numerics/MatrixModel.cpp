//===- MatrixModel.cpp - The table of matrix instructions -----------------===//
//
// A record names a family of instructions that share their arithmetic; rows are its expansion over
// architectures, shapes and operand types. Only sm_90 was measured; what rests on another source
// says so in its row.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/MatrixModel.h"
#include "InstructionName.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mettle::numerics;
using llvm::StringRef;

namespace {

/// Lists are separated by spaces; an instruction is a family and a shape, and `{x,y}` in types
/// stands for each of x and y. A group larger than an instruction's products means all of them.
struct Record {
  llvm::StringLiteral archs, instructions, types;
  llvm::StringLiteral arithmetic;
  Source source;
};

#define FP8 "{e4m3,e5m2}"
#define F8F6F4 "{e4m3,e5m2,e3m2,e2m3,e2m1}"
#define FP4_SCALED                                                                                 \
  "f32.e2m1.e2m1.f32.ue8m0/32 f32.e2m1.e2m1.f32.ue8m0/16 f32.e2m1.e2m1.f32.ue4m3/16"
#define AMDFP8 "{e4m3fnuz,e5m2fnuz}"
#define AMPERE "sm_80 sm_86 sm_87"
#define HALF "f32.f16.f16.f32 f32.bf16.bf16.f32"

// Types with the arithmetic that they share in the families of some architectures.
#define AMPERE_HALF HALF, "fused.F24.g8.z-132.rz23.f32"
#define AMPERE_F16_OUT "f16.f16.f16.f16", "fused.F24.g8.z-20.rn10.f16"
#define HOPPER_HALF HALF, "fused.F25.g16.z-133.rz23.f32"
#define HOPPER_F16_OUT "f16.f16.f16.f16", "fused.F25.g16.z-21.rn10.f16"
#define HOPPER_TF32 "f32.tf32.tf32.f32", "fused.F25.g8.z-133.rz23.f32"
#define BLACKWELL_SMALL "f32." F8F6F4 "." F8F6F4 ".f32", "fused.F25.g32.z-133.rz23.f32"
#define BLACKWELL_SMALL_F16_OUT "f16." F8F6F4 "." F8F6F4 ".f16", "fused.F25.g32.z-21.rn10.f16"
#define BLACKWELL_SCALED                                                                           \
  "f32." F8F6F4 "." F8F6F4 ".f32.ue8m0/32", "scaledfused.F25.g32.z-133.rz23.f32"
#define BLACKWELL_FP4 FP4_SCALED, "blockfused.F35.g64.s16.z-139.rz23.f32"

// MMA-Sim states its e_zero for f32 outputs of f16 operands on Volta and Turing as meaningless:
// f16 products cannot be small enough to meet it.
constexpr Record records[] = {
    // Volta, and its instruction on Turing.
    {"sm_70 sm_75", "mma.m8n8k4", "f32.f16.f16.f32 f32.f16.f16.f16", "fused.F23.g4.z-131.rz23.f32",
     Source::MMASim},
    {"sm_70 sm_75", "mma.m8n8k4", "f16.f16.f16.f16", "fused.F23.g4.z-19.rn10.f16", Source::MMASim},

    // Turing, Ampere, Ada.
    {"sm_75", "mma.m16n8k8", "f32.f16.f16.f32", "fused.F24.g8.z-132.rz23.f32", Source::MMASim},
    {"sm_75", "mma.m16n8k8", AMPERE_F16_OUT, Source::MMASim},
    {AMPERE " sm_89", "mma.m16n8k8 mma.m16n8k16", AMPERE_HALF, Source::MMASim},
    {AMPERE " sm_89", "mma.m16n8k8 mma.m16n8k16", AMPERE_F16_OUT, Source::MMASim},
    {AMPERE " sm_89", "mma.m16n8k4 mma.m16n8k8", "f32.tf32.tf32.f32", "fused.F24.g4.z-132.rz23.f32",
     Source::MMASim},
    {AMPERE " sm_89", "mma.m8n8k4", "f64.f64.f64.f64", "fma.f64", Source::MMASim},
    {"sm_89", "mma.m16n8k16 mma.m16n8k32", "f32." FP8 "." FP8 ".f32",
     "fused.F13.g16.z-132.rz13.f32", Source::MMASim},
    {"sm_89", "mma.m16n8k16 mma.m16n8k32", "f16." FP8 "." FP8 ".f16", "fused.F13.g16.z-20.rn10.f16",
     Source::MMASim},

    // Hopper: what the golden words show, and what their rule says of the neighbours.
    {"sm_90", "mma.m16n8k8 mma.m16n8k16 mma.sp.m16n8k32 wmma.m16n16k16 wgmma.m64n0k16", HOPPER_HALF,
     Source::Golden},
    {"sm_90", "mma.sp.m16n8k16", "f32.f16.f16.f32", "fused.F25.g16.z-133.rz23.f32", Source::Golden},
    {"sm_90", "mma.sp.m16n8k16", "f32.bf16.bf16.f32", "fused.F25.g16.z-133.rz23.f32", Source::Rule},
    {"sm_90",
     "mma.m16n8k8 mma.m16n8k16 mma.sp.m16n8k16 mma.sp.m16n8k32 wmma.m16n16k16 wgmma.m64n0k16",
     HOPPER_F16_OUT, Source::Golden},
    {"sm_90", "mma.m16n8k4 mma.m16n8k8 wgmma.m64n0k8", HOPPER_TF32, Source::Golden},
    {"sm_90", "mma.sp.m16n8k8 mma.sp.m16n8k16", HOPPER_TF32, Source::Rule},
    // The dense rule over the kept elements.
    {"sm_90", "mma.sp.m16n8k64", "f32.e4m3.e4m3.f32", "fusedviaf16.F25.g16.z-133.rz23.f32",
     Source::Golden},
    {"sm_90", "mma.sp.m16n8k64", "f32.e4m3.e5m2.f32 f32.e5m2." FP8 ".f32",
     "fusedviaf16.F25.g16.z-133.rz23.f32", Source::Rule},
    {"sm_90", "mma.sp.m16n8k64", "f16." FP8 "." FP8 ".f16", "fusedviaf16.F25.g16.z-21.rn10.f16",
     Source::Rule},
    {"sm_90", "wgmma.sp.m64n0k32", HOPPER_HALF, Source::Golden},
    {"sm_90", "wgmma.sp.m64n0k32", HOPPER_F16_OUT, Source::Golden},
    {"sm_90", "wgmma.sp.m64n0k16", HOPPER_TF32, Source::Golden},
    {"sm_90", "wgmma.sp.m64n0k64", "f32.e4m3.e4m3.f32", "fused.F13.g32.z-133.rz13.f32",
     Source::Golden},
    {"sm_90", "wgmma.sp.m64n0k64", "f32.e4m3.e5m2.f32 f32.e5m2." FP8 ".f32",
     "fused.F13.g32.z-133.rz13.f32", Source::Rule},
    {"sm_90", "wgmma.sp.m64n0k64", "f16." FP8 "." FP8 ".f16", "fused.F13.g32.z-21.rn10.f16",
     Source::Rule},
    {"sm_90", "wmma.m16n16k8", "f32.tf32.tf32.f32", "fused.F25.g4.z-133.rz23.f32", Source::Golden},
    {"sm_90", "mma.m16n8k16 mma.m16n8k32", "f32.e4m3." FP8 ".f32 f32.e5m2.e5m2.f32",
     "fusedviaf16.F25.g16.z-133.rz23.f32", Source::Golden},
    {"sm_90", "mma.m16n8k16 mma.m16n8k32", "f32.e5m2.e4m3.f32",
     "fusedviaf16.F25.g16.z-133.rz23.f32", Source::Rule},
    {"sm_90", "mma.m16n8k16 mma.m16n8k32", "f16.e4m3.e4m3.f16", "fusedviaf16.F25.g16.z-21.rn10.f16",
     Source::Golden},
    {"sm_90", "mma.m16n8k32", "f16.e5m2.e5m2.f16", "fusedviaf16.F25.g16.z-21.rn10.f16",
     Source::Golden},
    {"sm_90", "mma.m16n8k16", "f16.e5m2.e5m2.f16", "fusedviaf16.F25.g16.z-21.rn10.f16",
     Source::Rule},
    {"sm_90", "mma.m16n8k16 mma.m16n8k32", "f16.e5m2.e4m3.f16 f16.e4m3.e5m2.f16",
     "fusedviaf16.F25.g16.z-21.rn10.f16", Source::Rule},
    {"sm_90", "wgmma.m64n0k32", "f32.e4m3." FP8 ".f32 f32.e5m2.e5m2.f32",
     "fused.F13.g32.z-133.rz13.f32", Source::Golden},
    {"sm_90", "wgmma.m64n0k32", "f32.e5m2.e4m3.f32", "fused.F13.g32.z-133.rz13.f32", Source::Rule},
    {"sm_90", "wgmma.m64n0k32", "f16.e4m3.e4m3.f16 f16.e5m2.e5m2.f16",
     "fused.F13.g32.z-21.rn10.f16", Source::Golden},
    {"sm_90", "wgmma.m64n0k32", "f16.e4m3.e5m2.f16 f16.e5m2.e4m3.f16",
     "fused.F13.g32.z-21.rn10.f16", Source::Rule},
    {"sm_90", "mma.m8n8k4 mma.m16n8k4 mma.m16n8k8 mma.m16n8k16", "f64.f64.f64.f64", "fma.f64",
     Source::Golden},
    // ptxas makes the same HMMA.16816 and DMMA.8x8x4 of these as of mma.
    {"sm_90", "wmma.m32n8k16 wmma.m8n32k16", HOPPER_HALF, Source::Rule},
    {"sm_90", "wmma.m16n16k16 wmma.m32n8k16 wmma.m8n32k16", "f32.f16.f16.f16",
     "fused.F25.g16.z-133.rz23.f32", Source::Rule},
    {"sm_90", "wmma.m32n8k16 wmma.m8n32k16", HOPPER_F16_OUT, Source::Rule},
    {"sm_90", "wmma.m8n8k4", "f64.f64.f64.f64", "fma.f64", Source::Rule},

    // Blackwell.
    {"sm_100 sm_120", "mma.m16n8k8 mma.m16n8k16", HOPPER_HALF, Source::MMASim},
    {"sm_100 sm_120", "mma.m16n8k8 mma.m16n8k16", HOPPER_F16_OUT, Source::MMASim},
    {"sm_100 sm_120", "mma.m16n8k4 mma.m16n8k8", HOPPER_TF32, Source::MMASim},
    {"sm_100 sm_120", "mma.m8n8k4", "f64.f64.f64.f64", "fma.f64", Source::MMASim},
    {"sm_100", "tcgen05.m64n0k16 tcgen05.m128n0k16", HOPPER_HALF, Source::MMASim},
    {"sm_100", "tcgen05.m64n0k16 tcgen05.m128n0k16", HOPPER_F16_OUT, Source::MMASim},
    {"sm_100", "tcgen05.m64n0k8 tcgen05.m128n0k8", HOPPER_TF32, Source::MMASim},
    {"sm_100", "tcgen05.m64n0k32 tcgen05.m128n0k32", BLACKWELL_SMALL, Source::MMASim},
    {"sm_100", "tcgen05.m64n0k32 tcgen05.m128n0k32", BLACKWELL_SMALL_F16_OUT, Source::MMASim},
    {"sm_100", "tcgen05.scaled.m128n0k32", BLACKWELL_SCALED, Source::MMASim},
    {"sm_100", "tcgen05.scaled.m128n0k64", BLACKWELL_FP4, Source::MMASim},
    {"sm_120", "mma.m16n8k32", BLACKWELL_SMALL, Source::MMASim},
    {"sm_120", "mma.m16n8k32", BLACKWELL_SMALL_F16_OUT, Source::MMASim},
    {"sm_120", "mma.m16n8k16", "f32." FP8 "." FP8 ".f32", "fused.F25.g32.z-133.rz23.f32",
     Source::MMASim},
    {"sm_120", "mma.m16n8k16", "f16." FP8 "." FP8 ".f16", "fused.F25.g32.z-21.rn10.f16",
     Source::MMASim},
    {"sm_120", "mma.scaled.m16n8k32", BLACKWELL_SCALED, Source::MMASim},
    {"sm_120", "mma.scaled.m16n8k64", BLACKWELL_FP4, Source::MMASim},

    // Integers are exact by definition, on every architecture that has the instruction.
    {"sm_90", "mma.m16n8k16 mma.m16n8k32 wgmma.m64n0k32", "i32.i8.i8.i32", "int.wrap.i32",
     Source::Golden},
    {"sm_90", "mma.m16n8k32 wgmma.m64n0k32", "i32.i8.i8.i32.sat", "int.sat.i32", Source::Golden},
    {"sm_90", "mma.m16n8k16", "i32.i8.i8.i32.sat", "int.sat.i32", Source::PTXSpec},
    {"sm_90", "mma.sp.m16n8k32 mma.sp.m16n8k64 wgmma.sp.m64n0k64", "i32.{i8,u8}.{i8,u8}.i32",
     "int.wrap.i32", Source::PTXSpec},
    {"sm_90", "mma.sp.m16n8k32 mma.sp.m16n8k64 wgmma.sp.m64n0k64", "i32.{i8,u8}.{i8,u8}.i32.sat",
     "int.sat.i32", Source::PTXSpec},
    {"sm_90", "mma.sp.m16n8k64", "i32.{i4,u4}.{i4,u4}.i32", "int.wrap.i32", Source::PTXSpec},
    {"sm_90", "mma.sp.m16n8k64", "i32.{i4,u4}.{i4,u4}.i32.sat", "int.sat.i32", Source::PTXSpec},
    {"sm_90", "mma.m16n8k16 mma.m16n8k32 wgmma.m64n0k32", "i32.u8.{u8,i8}.i32 i32.i8.u8.i32",
     "int.wrap.i32", Source::PTXSpec},
    {"sm_90", "mma.m16n8k16 mma.m16n8k32 wgmma.m64n0k32",
     "i32.u8.{u8,i8}.i32.sat i32.i8.u8.i32.sat", "int.sat.i32", Source::PTXSpec},
    {"sm_75 " AMPERE " sm_89 sm_100 sm_120", "mma.m8n8k16", "i32.{i8,u8}.{i8,u8}.i32",
     "int.wrap.i32", Source::PTXSpec},
    {"sm_75 " AMPERE " sm_89 sm_100 sm_120", "mma.m8n8k16", "i32.{i8,u8}.{i8,u8}.i32.sat",
     "int.sat.i32", Source::PTXSpec},
    {AMPERE " sm_89 sm_100 sm_120", "mma.m16n8k16 mma.m16n8k32", "i32.{i8,u8}.{i8,u8}.i32",
     "int.wrap.i32", Source::PTXSpec},
    {AMPERE " sm_89 sm_100 sm_120", "mma.m16n8k16 mma.m16n8k32", "i32.{i8,u8}.{i8,u8}.i32.sat",
     "int.sat.i32", Source::PTXSpec},
    {"sm_75", "mma.m8n8k32", "i32.{i4,u4}.{i4,u4}.i32", "int.wrap.i32", Source::PTXSpec},
    {AMPERE " sm_89 sm_90 sm_100 sm_120", "mma.m16n8k32 mma.m16n8k64", "i32.{i4,u4}.{i4,u4}.i32",
     "int.wrap.i32", Source::PTXSpec},
    {AMPERE " sm_89 sm_90 sm_100 sm_120", "mma.m16n8k32 mma.m16n8k64",
     "i32.{i4,u4}.{i4,u4}.i32.sat", "int.sat.i32", Source::PTXSpec},
    {AMPERE " sm_89 sm_90", "mma.m16n8k128 mma.m16n8k256", "i32.b1.b1.i32.xor", "xorpopc.wrap.i32",
     Source::PTXSpec},
    {AMPERE " sm_89 sm_90", "mma.m16n8k128 mma.m16n8k256", "i32.b1.b1.i32.and", "int.wrap.i32",
     Source::PTXSpec},

    {"sm_90", "wmma.m16n16k16 wmma.m32n8k16 wmma.m8n32k16", "i32.i8.i8.i32 i32.u8.u8.i32",
     "int.wrap.i32", Source::PTXSpec},
    {"sm_90", "wmma.m16n16k16 wmma.m32n8k16 wmma.m8n32k16", "i32.i8.i8.i32.sat i32.u8.u8.i32.sat",
     "int.sat.i32", Source::PTXSpec},
    {"sm_90", "wmma.m8n8k32", "i32.i4.i4.i32 i32.u4.u4.i32", "int.wrap.i32", Source::PTXSpec},
    {"sm_90", "wmma.m8n8k32", "i32.i4.i4.i32.sat i32.u4.u4.i32.sat", "int.sat.i32",
     Source::PTXSpec},
    {"sm_90", "mma.m8n8k16", "i32.{i8,u8}.{i8,u8}.i32", "int.wrap.i32", Source::PTXSpec},
    {"sm_90", "mma.m8n8k16", "i32.{i8,u8}.{i8,u8}.i32.sat", "int.sat.i32", Source::PTXSpec},
    {"sm_90", "mma.m8n8k32", "i32.{i4,u4}.{i4,u4}.i32", "int.wrap.i32", Source::PTXSpec},
    {"sm_90", "mma.m8n8k32", "i32.{i4,u4}.{i4,u4}.i32.sat", "int.sat.i32", Source::PTXSpec},
    {"sm_90", "mma.m8n8k128 wmma.m8n8k128", "i32.b1.b1.i32.xor", "xorpopc.wrap.i32",
     Source::PTXSpec},
    {"sm_90", "mma.m8n8k128 wmma.m8n8k128", "i32.b1.b1.i32.and", "int.wrap.i32", Source::PTXSpec},

    // AMD CDNA3.
    {"gfx942", "mfma.m32n32k1 mfma.m16n16k1 mfma.m4n4k1 mfma.m32n32k2 mfma.m16n16k4",
     "f32.f32.f32.f32", "fma.f32", Source::MMASim},
    {"gfx942", "mfma.m16n16k4 mfma.m4n4k4", "f64.f64.f64.f64", "fma.f64", Source::MMASim},
    {"gfx942", "mfma.m16n16k8 mfma.m32n32k4", "f32.tf32.tf32.f32", "floorfused.F24.w31.g4.rn23.f32",
     Source::MMASim},
    {"gfx942", "mfma.m32n32k4 mfma.m16n16k4 mfma.m4n4k4 mfma.m32n32k8 mfma.m16n16k16", HALF,
     "floorfused.F24.w31.g8.rn23.f32", Source::MMASim},
    {"gfx942", "mfma.m16n16k32 mfma.m32n32k16", "f32." AMDFP8 "." AMDFP8 ".f32",
     "floorfusedpairs.F24.w31.g16.rn23.f32", Source::MMASim},
};

llvm::SmallVector<std::string> expandBraces(StringRef pattern) {
  size_t open = pattern.find('{');
  if (open == StringRef::npos)
    return {pattern.str()};
  size_t close = pattern.find('}', open);
  llvm::SmallVector<std::string> expanded;
  llvm::SmallVector<StringRef> choices;
  pattern.slice(open + 1, close).split(choices, ',');
  for (const std::string &tail : expandBraces(pattern.substr(close + 1)))
    for (StringRef choice : choices)
      expanded.push_back((pattern.take_front(open) + choice + tail).str());
  return expanded;
}

void expand(const Record &record, std::vector<MatrixRow> &rows) {
  llvm::SmallVector<StringRef> archs, instructions, patterns;
  record.archs.split(archs, ' ');
  record.instructions.split(instructions, ' ');
  record.types.split(patterns, ' ');
  for (StringRef arch : archs)
    for (StringRef instruction : instructions)
      for (StringRef pattern : patterns)
        for (const std::string &types : expandBraces(pattern)) {
          std::string text = (instruction + "." + types).str();
          llvm::Expected<InstructionName> parsed = parseInstructionName(text);
          if (!parsed)
            llvm::report_fatal_error(parsed.takeError());
          const InstructionName &i = *parsed;
          ArithmeticClass arithmetic = llvm::cantFail(ArithmeticClass::parse(record.arithmetic));
          StringRef family = instruction.rsplit('.').first;
          MatrixRow row{
              arch,    family,       i.m,        i.n,           i.k,
              i.a,     i.b,          i.c,        i.d,           i.saturate,
              i.scale, i.scaleBlock, arithmetic, record.source, record.source == Source::Golden};
          bool halves = arithmetic.kind == ArithmeticClass::FusedViaF16;
          row.arithmetic.group =
              std::min<unsigned>(arithmetic.group, row.products() / (halves ? 2 : 1));
          rows.push_back(row);
        }
}

std::vector<MatrixRow> expandAll() {
  std::vector<MatrixRow> rows;
  for (const Record &record : records)
    expand(record, rows);
  return rows;
}

bool matches(const MatrixRow &row, const InstructionName &i) {
  bool anyN = row.n == 0 && (i.n == 0 || (i.n % 8 == 0 && i.n >= 8 && i.n <= 256));
  return row.family == i.family && row.m == i.m && (row.n == i.n || anyN) && row.k == i.k &&
         row.a == i.a && row.b == i.b && row.c == i.c && row.d == i.d &&
         row.saturate == i.saturate && row.scale == i.scale && row.scaleBlock == i.scaleBlock &&
         (row.a != Format::B1 ||
          i.xorBits == (row.arithmetic.kind == ArithmeticClass::XorPopcount));
}

} // namespace

StringRef mettle::numerics::name(Source source) {
  static constexpr llvm::StringLiteral names[] = {"golden words", "rule of the golden words",
                                                  "MMA-Sim 2.1.1", "PTX ISA"};
  return names[size_t(source)];
}

std::string MatrixRow::instruction() const {
  return InstructionName{family.str(),
                         m,
                         n,
                         k,
                         a,
                         b,
                         c,
                         d,
                         saturate,
                         arithmetic.kind == ArithmeticClass::XorPopcount,
                         scale,
                         scaleBlock}
      .text();
}

llvm::ArrayRef<MatrixRow> mettle::numerics::matrixRows() {
  static const std::vector<MatrixRow> rows = expandAll();
  return rows;
}

llvm::Expected<const MatrixRow *> mettle::numerics::findMatrixRow(StringRef arch,
                                                                  StringRef instruction) {
  llvm::Expected<InstructionName> parsed = parseInstructionName(instruction);
  if (!parsed)
    return parsed.takeError();
  // The suffix of sm_90a or sm_100f opens instructions and changes no arithmetic.
  StringRef base = arch.starts_with("sm_") ? arch.rtrim("af") : arch;
  bool known = false;
  for (const MatrixRow &row : matrixRows()) {
    known |= row.arch == base;
    if (row.arch == base && matches(row, *parsed))
      return &row;
  }
  if (!known)
    return llvm::createStringError("unknown architecture '" + arch + "'");
  return llvm::createStringError("no matrix row for '" + parsed->text() + "' on " + base);
}

uint64_t mettle::numerics::evaluateInstruction(const MatrixRow &row, llvm::ArrayRef<uint64_t> a,
                                               llvm::ArrayRef<uint64_t> b, uint64_t c,
                                               const BlockScales *scales) {
  if (row.c != row.d)
    c = convert(row.c, c, row.d);
  return evaluateStep(row.arithmetic, {row.a, row.b, a, b, scales}, c);
}
