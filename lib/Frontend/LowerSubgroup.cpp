//===- LowerSubgroup.cpp - subgroup operations -===//
//
// One operation of the dialect each; signedness is in the combination.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "Mettle/Dialect/Mettle/IR/SubgroupOps.h"

namespace mettle::frontend {

using mlir::Value;

static CombineKind combinationOf(BuiltinFunction builtin, const Type *type) {
  bool isMin = builtin == BuiltinFunction::SubgroupReduceMin;
  if (builtin == BuiltinFunction::SubgroupReduceAdd)
    return CombineKind::Add;
  if (type->isFloat())
    return isMin ? CombineKind::FMin : CombineKind::FMax;
  if (type->isUnsigned())
    return isMin ? CombineKind::UMin : CombineKind::UMax;
  return isMin ? CombineKind::SMin : CombineKind::SMax;
}

static mettle::FoldOrder orderOf(FoldOrder order) {
  switch (order) {
  case FoldOrder::InnerTree:
    return mettle::FoldOrder::InnerTree;
  case FoldOrder::Sequential:
    return mettle::FoldOrder::Sequential;
  case FoldOrder::Unordered:
    return mettle::FoldOrder::Unordered;
  }
  llvm_unreachable("every order is in the dialect");
}

Value FunctionLowering::lowerSubgroupCall(const CallExpr &e, llvm::ArrayRef<Value> a) {
  mlir::Location loc = location(e.range);
  auto order = [&](bool isSum) {
    return isSum && e.type->isFloat() ? FoldOrderAttr::get(b.getContext(), orderOf(e.foldOrder))
                                      : FoldOrderAttr();
  };
  auto scan = [&](ScanKind kind) -> Value {
    return SubgroupScanOp::create(b, loc, a[0].getType(), kind, order(true), a[0]);
  };
  auto shuffle = [&](ShuffleMode mode) -> Value {
    return SubgroupShuffleOp::create(b, loc, a[0].getType(), mode, a[0], a[1], /*present=*/false);
  };
  switch (e.builtin) {
  case BuiltinFunction::SubgroupLocalId:
    return SubgroupLocalIdOp::create(b, loc, b.getI32Type());
  case BuiltinFunction::SubgroupSize:
    return SubgroupSizeOp::create(b, loc, b.getI32Type());
  case BuiltinFunction::SubgroupBroadcast:
    return SubgroupBroadcastOp::create(b, loc, a[0].getType(), a[0], a[1]);
  case BuiltinFunction::SubgroupReduceAdd:
  case BuiltinFunction::SubgroupReduceMin:
  case BuiltinFunction::SubgroupReduceMax: {
    CombineKind kind = combinationOf(e.builtin, e.type);
    return SubgroupReduceOp::create(b, loc, a[0].getType(), kind, order(kind == CombineKind::Add),
                                    a[0]);
  }
  case BuiltinFunction::SubgroupScanInclusiveAdd:
    return scan(ScanKind::Inclusive);
  case BuiltinFunction::SubgroupScanExclusiveAdd:
    return scan(ScanKind::Exclusive);
  case BuiltinFunction::SubgroupShuffle:
    return shuffle(ShuffleMode::Idx);
  case BuiltinFunction::SubgroupShuffleXor:
    return shuffle(ShuffleMode::Xor);
  case BuiltinFunction::SubgroupShuffleUp:
    return shuffle(ShuffleMode::Up);
  case BuiltinFunction::SubgroupShuffleDown:
    return shuffle(ShuffleMode::Down);
  case BuiltinFunction::SubgroupBallot:
    return SubgroupBallotOp::create(b, loc, b.getI32Type(), a[0], a[1]);
  case BuiltinFunction::SubgroupAny:
    return SubgroupAnyOp::create(b, loc, b.getI1Type(), a[0]);
  case BuiltinFunction::SubgroupAll:
    return SubgroupAllOp::create(b, loc, b.getI1Type(), a[0]);
  default:
    llvm_unreachable("every built-in is lowered");
  }
}

} // namespace mettle::frontend
