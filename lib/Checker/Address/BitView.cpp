//===- BitView.cpp - Forms bit by bit -------------------------------------===//
//
// Takes a form apart into bits that are affine over GF(2), which is exact only where no two parts
// touch one bit; and what integer operations give on plain numbers.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Checker/Address/Form.h"

using namespace mettle::checker;

std::optional<BitView> Forms::bitsOf(FormId f, unsigned width) {
  BitView view;
  view.mask.fill(0);
  view.count = width;
  // What is no parity stays whole, and bounds the bits that can be told apart.
  llvm::SmallVector<std::pair<uint64_t, uint64_t>, 12>
      parities; // mask, what is left of its multiple
  FormId rest = 0;
  for (const Part &part : llvm::SmallVector<Part, 12>(parts(f))) {
    if (atoms[part.atom].kind == Atom::Parity) {
      parities.push_back({atoms[part.atom].data, uint64_t(part.coef)});
      continue;
    }
    view.count = std::min(view.count, unsigned(__builtin_ctzll(uint64_t(part.coef))));
    rest = add(rest, ofAtom(part.atom, part.coef));
  }
  // From the lowest bit up: p there gives p, and beside a one 1 - p with a carry of p.
  auto constant = uint64_t(constantOf(f));
  for (unsigned bit = 0; bit < view.count; ++bit) {
    uint64_t weight = uint64_t(1) << bit;
    bool one = constant & weight;
    constant &= ~weight;
    view.flip |= uint64_t(one) << bit;
    for (auto &[mask, coef] : parities) {
      if (!(coef & weight))
        continue;
      if (view.mask[bit])
        return std::nullopt; // two of them: their carry is a product
      view.mask[bit] = mask;
      coef += one ? weight : -weight;
    }
  }
  if (view.count < 64) {
    for (auto [mask, coef] : parities)
      if (coef)
        rest = add(rest, parity(mask, false, int64_t(coef)));
    rest = addConstant(rest, int64_t(constant));
  }
  view.rest = rest;
  return view;
}

FormId Forms::fromBits(const BitView &view, unsigned first, unsigned count, int shift) {
  FormId result = 0;
  for (unsigned i = first; i < first + count && i < view.count; ++i) {
    int to = int(i) + shift;
    if (to < 0 || to > 63)
      continue;
    int64_t weight = int64_t(uint64_t(1) << to);
    if (!view.mask[i]) {
      if (view.bit(i))
        result = addConstant(result, weight);
      continue;
    }
    result = add(result, parity(view.mask[i], view.bit(i), weight));
  }
  return result;
}

std::optional<int64_t> mettle::checker::applyIntOp(IntOp op, unsigned width,
                                                   llvm::ArrayRef<int64_t> args, uint64_t) {
  auto asSigned = [&](int64_t v) {
    return width == 64 ? v : int64_t(uint64_t(v) << (64 - width)) >> (64 - width);
  };
  auto asUnsigned = [&](int64_t v) {
    return width == 64 ? uint64_t(v) : uint64_t(v) & ((uint64_t(1) << width) - 1);
  };
  if (op == IntOp::Select)
    return args[0] ? args[1] : args[2];
  int64_t a = asSigned(args[0]), b = args.size() > 1 ? asSigned(args[1]) : 0;
  uint64_t ua = asUnsigned(args[0]), ub = args.size() > 1 ? asUnsigned(args[1]) : 0;
  int64_t result;
  switch (op) {
  case IntOp::Mul:
    result = int64_t(uint64_t(a) * uint64_t(b));
    break;
  case IntOp::DivS:
    if (b == 0 || b == -1)
      return std::nullopt;
    result = a / b;
    break;
  case IntOp::RemS:
    if (b == 0 || b == -1)
      return std::nullopt;
    result = a % b;
    break;
  case IntOp::DivU:
    if (ub == 0)
      return std::nullopt;
    return asSigned(int64_t(ua / ub)) >= 0 ? int64_t(ua / ub) : asSigned(int64_t(ua / ub));
  case IntOp::RemU:
    if (ub == 0)
      return std::nullopt;
    result = int64_t(ua % ub);
    break;
  case IntOp::MinS:
    result = std::min(a, b);
    break;
  case IntOp::MaxS:
    result = std::max(a, b);
    break;
  case IntOp::MinU:
    result = int64_t(std::min(ua, ub));
    break;
  case IntOp::MaxU:
    result = int64_t(std::max(ua, ub));
    break;
  case IntOp::And:
    result = a & b;
    break;
  case IntOp::Or:
    result = a | b;
    break;
  case IntOp::Xor:
    result = a ^ b;
    break;
  case IntOp::Shl:
    result = ub >= width ? 0 : int64_t(ua << ub);
    break;
  case IntOp::ShrU:
    result = ub >= width ? 0 : int64_t(ua >> ub);
    break;
  case IntOp::ShrS:
    result = a >> std::min<uint64_t>(ub, width - 1);
    break;
  case IntOp::Truncate:
  case IntOp::SignExtend:
    result = a;
    break;
  case IntOp::Widen:
    return int64_t(ua);
  case IntOp::Select:
    return std::nullopt;
  default:
    return std::nullopt;
  }
  return asSigned(result);
}
