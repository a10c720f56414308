//===- InstructionName.cpp - The parts of a matrix instruction's name -----===//
//
// Syntax: PTX ISA 9.0, sections on wmma.mma, mma, mma.sp, wgmma.mma_async. tcgen05.mma carries its
// formats in a descriptor and not in its name, so it is only known by our own spelling.
//
//===----------------------------------------------------------------------===//

#include "InstructionName.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mettle::numerics;
using llvm::StringRef;

std::string InstructionName::text() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << family << ".m" << m << 'n' << n << 'k' << k << '.' << name(d) << '.' << name(a) << '.'
     << name(b) << '.' << name(c);
  if (scale)
    os << '.' << name(*scale) << '/' << scaleBlock;
  if (saturate)
    os << ".sat";
  if (a == Format::B1)
    os << (xorBits ? ".xor" : ".and");
  return text;
}

static llvm::Error error(const llvm::Twine &message) { return llvm::createStringError(message); }

static bool parseShape(StringRef token, InstructionName &i) {
  return token.consume_front("m") && !token.consumeInteger(10, i.m) && token.consume_front("n") &&
         !token.consumeInteger(10, i.n) && token.consume_front("k") &&
         !token.consumeInteger(10, i.k) && token.empty();
}

/// `ue8m0/32`, or PTX's scale_vec::1X and block16, whose block follows from k.
static bool parseScale(StringRef token, InstructionName &i) {
  if (token.consume_front("block") || token.consume_front("scale_vec::")) {
    bool vector = token.consume_back("X");
    unsigned number;
    if (token.getAsInteger(10, number) || number == 0)
      return false;
    i.scaleBlock = vector ? i.k / number : number;
    return true;
  }
  auto [format, block] = token.split('/');
  std::optional<Format> parsed = parseFormat(format);
  if (parsed != Format::UE8M0 && parsed != Format::UE4M3)
    return false;
  i.scale = parsed;
  return block.empty() || !block.getAsInteger(10, i.scaleBlock);
}

static bool isModifier(StringRef token) {
  return llvm::StringSwitch<bool>(token)
      .Cases({"sync", "aligned", "row", "col", "mma_async", "mma", "popc", "block_scale"}, true)
      .Default(token.starts_with("kind::") || token.starts_with("cta_group::"));
}

/// D, A, B, C; wgmma and tcgen05 name no C, wmma on f16 only D and C.
static bool assignFormats(llvm::ArrayRef<Format> formats, InstructionName &i) {
  if (formats.size() == 4) {
    i.d = formats[0], i.a = formats[1], i.b = formats[2], i.c = formats[3];
    return true;
  }
  if (formats.size() == 3 && (i.family == "wgmma" || i.family == "tcgen05")) {
    i.d = i.c = formats[0], i.a = formats[1], i.b = formats[2];
    return true;
  }
  if (formats.size() == 2 && i.family == "wmma") {
    i.d = formats[0], i.c = formats[1], i.a = i.b = Format::F16;
    return true;
  }
  return false;
}

llvm::Expected<InstructionName> mettle::numerics::parseInstructionName(StringRef text) {
  llvm::SmallVector<StringRef, 12> tokens;
  text.split(tokens, '.');
  InstructionName i;
  i.family = llvm::StringSwitch<std::string>(tokens[0].split("::").first)
                 .Cases({"mma", "wmma", "tcgen05", "mfma"}, tokens[0].str())
                 .Case("wgmma", "wgmma")
                 .Default("");
  if (i.family.empty())
    return error("expected a matrix instruction, found '" + text + "'");
  llvm::SmallVector<Format, 4> formats;
  bool sparse = false, scaled = false, bits = false;
  for (StringRef token : llvm::ArrayRef(tokens).drop_front()) {
    if (token == "sp" || token.starts_with("sp::")) {
      sparse = true;
    } else if (token == "scaled" || token == "block_scale") {
      scaled = true;
    } else if (token == "satfinite" || token == "sat") {
      i.saturate = true;
    } else if (token == "xor" || token == "and") {
      i.xorBits = token == "xor";
      bits = true;
    } else if (i.k == 0 && parseShape(token, i)) {
      continue;
    } else if (isModifier(token) || (i.k != 0 && parseScale(token, i))) {
      continue;
    } else if (std::optional<Format> format = parseFormat(token)) {
      formats.push_back(*format);
    } else {
      return error("unexpected '" + token + "' in instruction '" + text + "'");
    }
  }
  if (i.k == 0)
    return error("expected a shape such as m16n8k16 in instruction '" + text + "'");
  // tcgen05 under scales names its accumulator once.
  if (formats.size() == 3 && scaled && i.family == "tcgen05")
    formats.push_back(formats[0]);
  if (!assignFormats(formats, i))
    return error("expected the formats of d, a, b and c in instruction '" + text + "'");
  if ((i.a == Format::B1) != bits)
    return error("expected xor or and with b1 operands, and only there, in instruction '" + text +
                 "'");
  if (scaled != (i.scale.has_value() && i.scaleBlock != 0))
    return error("expected a scale format and block with a block-scaled instruction, and only "
                 "there, in '" +
                 text + "'");
  if (sparse)
    i.family += ".sp";
  if (scaled)
    i.family += ".scaled";
  return i;
}
