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
  llvm::SmallVector<Part, 12> all(parts(f));
  int64_t constant = constantOf(f);
  // -p is p in every bit.
  if (all.size() == 1 && constant == 0 && all[0].coef < 0 &&
      atoms[all[0].atom].kind == Atom::Parity && (-all[0].coef & (-all[0].coef - 1)) == 0) {
    for (unsigned i = unsigned(__builtin_ctzll(uint64_t(-all[0].coef))); i < width; ++i)
      view.mask[i] = atoms[all[0].atom].data;
    return view;
  }
  if (all.empty()) {
    view.flip = uint64_t(constant);
    if (width < 64)
      view.flip &= (uint64_t(1) << width) - 1;
    return view;
  }
  // What is no parity stays whole, and bounds the bits that can be told apart.
  for (const Part &part : all)
    if (atoms[part.atom].kind != Atom::Parity)
      view.count = std::min(view.count, unsigned(__builtin_ctzll(uint64_t(part.coef))) +
                                            (atoms[part.atom].kind == Atom::Shared ? 0u : 0u));
  uint64_t low = view.count >= 64 ? ~uint64_t(0) : (uint64_t(1) << view.count) - 1;
  uint64_t used = 0;
  FormId rest = 0;
  for (const Part &part : all) {
    const Atom &atom = atoms[part.atom];
    if (atom.kind != Atom::Parity) {
      rest = add(rest, ofAtom(part.atom, part.coef));
      continue;
    }
    uint64_t coef = uint64_t(part.coef);
    bool flip = false;
    uint64_t mask = atom.data;
    if (part.coef < 0) {
      // -c p = -c + c (1 - p)
      coef = -coef;
      constant = int64_t(uint64_t(constant) - coef);
      flip = true;
    }
    for (uint64_t left = coef; left; left &= left - 1) {
      unsigned bit = unsigned(__builtin_ctzll(left));
      if (!(low >> bit & 1)) {
        rest = add(rest, parity(mask, flip, int64_t(uint64_t(1) << bit)));
        continue;
      }
      if (used >> bit & 1)
        return std::nullopt;
      used |= uint64_t(1) << bit;
      view.mask[bit] = mask;
      view.flip |= uint64_t(flip) << bit;
    }
  }
  if (uint64_t(constant) & low & used)
    return std::nullopt;
  view.flip |= uint64_t(constant) & low;
  int64_t high = constant - int64_t(uint64_t(constant) & low);
  view.rest = add(rest, this->constant(high));
  return view;
}

FormId Forms::fromBits(const BitView &view, unsigned first, unsigned count, int shift) {
  // Equal bits are gathered, so that p in every bit of 144 is 144 p.
  llvm::SmallVector<std::pair<uint64_t, std::pair<int64_t, int64_t>>, 16> gathered;
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
