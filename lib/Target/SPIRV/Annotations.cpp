//===- Annotations.cpp - decorations, names and source lines --------------===//
//
// What is said of an id apart from the instruction that makes it.
//
//===----------------------------------------------------------------------===//

#include "ModuleEncoder.h"

#include "Mettle/Dialect/SPIRVX/IR/SPIRVXDialect.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVAttributes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mettle::spirvx;
using spirv::Opcode;

void ModuleEncoder::decorate(uint32_t id, spirv::Decoration decoration,
                             ArrayRef<uint32_t> operands) {
  SmallVector<uint32_t> words{id, static_cast<uint32_t>(decoration)};
  llvm::append_range(words, operands);
  appendInstruction(Opcode::OpDecorate, words, sections.decorations);
}

LogicalResult ModuleEncoder::decorateFromAttributes(Operation *op, uint32_t id) {
  for (NamedAttribute attribute : op->getDiscardableAttrs()) {
    StringRef name = attribute.getName();
    Attribute value = attribute.getValue();
    if (name == SPIRVXDialect::alignmentAttrName) {
      uint32_t alignment = cast<IntegerAttr>(value).getValue().getZExtValue();
      decorate(id, spirv::Decoration::Alignment, {alignment});
      continue;
    }
    // Upstream spells a decoration as an attribute with its name in snake case.
    std::string camel = llvm::convertToCamelFromSnakeCase(name, /*capitalizeFirst=*/true);
    if (StringRef(camel).starts_with("Fp"))
      camel[1] = 'P';
    std::optional<spirv::Decoration> decoration = spirv::symbolizeDecoration(camel);
    if (decoration && isa<UnitAttr>(value))
      decorate(id, *decoration);
    else if (auto mode = dyn_cast<spirv::FPRoundingModeAttr>(value); decoration && mode)
      decorate(id, *decoration, {static_cast<uint32_t>(mode.getValue())});
    else if (auto mode = dyn_cast<spirv::FPFastMathModeAttr>(value); decoration && mode)
      decorate(id, *decoration, {static_cast<uint32_t>(mode.getValue())});
    else
      return op->emitOpError() << "expected the attribute '" << name
                               << "' to be a decoration of an OpenCL kernel, got " << value;
  }
  return success();
}

void ModuleEncoder::name(uint32_t id, StringRef text) {
  if (!options.debugInfo)
    return;
  SmallVector<uint32_t> words{id};
  appendString(text, words);
  appendInstruction(Opcode::OpName, words, sections.names);
}

void ModuleEncoder::line(Location location) {
  if (!options.debugInfo)
    return;
  auto place = location->findInstanceOf<FileLineColLoc>();
  // A line holds until the next, or the end of the block.
  if (!place || place == currentLine)
    return;
  currentLine = place;
  uint32_t &file = files[place.getFilename().getValue()];
  if (!file) {
    SmallVector<uint32_t> words{file = newId()};
    appendString(place.getFilename().getValue(), words);
    appendInstruction(Opcode::OpString, words, sections.strings);
  }
  appendInstruction(Opcode::OpLine, {file, place.getLine(), place.getColumn()}, sections.functions);
}
