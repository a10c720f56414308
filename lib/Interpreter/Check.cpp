//===- Check.cpp - assertions and prints -===//
//
// An assertion that fails is a fault. What is printed goes to whoever launched, with its place.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/IR/CheckOps.h"

#include "Model.h"
#include "Workgroup.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::interpreter;

/// The condition is in a, the immediate the operation's text.
static const Instruction *assertion(const Instruction *at, WorkItem &item) {
  if (item.frame[at->a])
    return at + 1;
  auto text = StringAttr::getFromOpaquePointer(reinterpret_cast<const void *>(at->immediate));
  InFlightDiagnostic diagnostic = item.fault(at);
  diagnostic << "fails an assertion of kernel '" << item.group.launch.program.functions.front().name
             << "'";
  if (!text.empty())
    diagnostic << ": " << text.getValue();
  return nullptr;
}

static LogicalResult lowerAssert(AssertOp op, FunctionLowering &lowering) {
  lowering.emit(assertion, 0, lowering.slot(op.getCondition()), 0, 0,
                reinterpret_cast<uint64_t>(op.getTextAttr().getAsOpaquePointer()));
  return success();
}

/// The immediate is the operation, a to c are the slots of its next three values, and in the last
/// instruction of a print the result is 1.
static const Instruction *print(const Instruction *at, WorkItem &item) {
  auto op = PrintOp::getFromOpaquePointer(reinterpret_cast<const void *>(at->immediate));
  const LaunchConfig &config = item.group.launch.config;
  if (config.print) {
    SmallVector<uint64_t> values;
    const Instruction *part = at;
    for (size_t i = 0, count = op.getValues().size(); i < count; ++i) {
      const Slot slots[] = {part->a, part->b, part->c};
      values.push_back(item.frame[slots[i % 3]]);
      part += i % 3 == 2;
    }
    SmallVector<StringRef> kinds;
    if (std::optional<ArrayAttr> all = op.getKinds())
      llvm::append_range(kinds, all->getAsValueRange<StringAttr>());
    config.print({op.getText(), kinds, values, item.group.index, item.index});
  }
  while (!at->result)
    ++at;
  return at + 1;
}

static LogicalResult lowerPrint(PrintOp op, FunctionLowering &lowering) {
  SmallVector<Slot> slots;
  for (Value value : op.getValues())
    slots.push_back(lowering.slot(value));
  size_t parts = std::max<size_t>(llvm::divideCeil(slots.size(), 3), 1);
  slots.resize(3 * parts);
  for (size_t i = 0; i < parts; ++i)
    lowering.emit(print, i + 1 == parts, slots[3 * i], slots[3 * i + 1], slots[3 * i + 2],
                  reinterpret_cast<uint64_t>(op.getAsOpaquePointer()));
  return success();
}

namespace mettle::interpreter::detail {
void registerCheckModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, MettleDialect *) {
    attachModels<lowerAssert, lowerPrint>(context);
  });
}
} // namespace mettle::interpreter::detail
