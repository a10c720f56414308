//===- Operations.cpp - Integer operations on forms -----------------------===//
//
// Each operation gives an exact form where ranges and bits allow it, and an opaque expression where
// they do not. What is opaque for a symbolic thread may be exact for a lane that was asked for, so
// substitution comes through here as well.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Checker/Address/Form.h"

using namespace mettle::checker;

FormId Forms::asSigned(FormId f, unsigned width) {
  if (width >= 64)
    return f;
  int64_t half = int64_t(1) << (width - 1);
  if (isConstant(f))
    return constant(int64_t(uint64_t(constantOf(f)) << (64 - width)) >> (64 - width));
  if (lo(f) >= -half && hi(f) < half)
    return f;
  if (lo(f) >= half && hi(f) < 2 * half)
    return addConstant(f, -2 * half);
  if (std::optional<FormId> exact = signedBits(f, width, 0))
    return *exact;
  return opaque(IntOp::SignExtend, width, {f});
}

/// The register's bits from `first` on as a signed number, the topmost being its sign.
std::optional<FormId> Forms::signedBits(FormId f, unsigned width, unsigned first) {
  std::optional<BitView> view = bitsOf(f, width);
  if (!view || view->count < width)
    return std::nullopt;
  FormId low = fromBits(*view, first, width - 1 - first, -int(first));
  FormId top = fromBits(*view, width - 1, 1, -int(first));
  return sub(low, top);
}

FormId Forms::asUnsigned(FormId f, unsigned width) {
  if (width >= 64)
    return f;
  int64_t full = int64_t(1) << width;
  if (isConstant(f))
    return constant(constantOf(f) & (full - 1));
  if (lo(f) >= 0 && hi(f) < full)
    return f;
  if (hi(f) < 0 && lo(f) >= -full)
    return addConstant(f, full);
  return opaque(IntOp::Widen, width, {f});
}

FormId Forms::wrap(FormId f, unsigned width) {
  if (fits(f, width))
    return f;
  if (isConstant(f))
    return asSigned(f, width);
  return opaque(IntOp::Truncate, width, {f});
}

FormId Forms::bitwise(IntOp code, unsigned width, FormId a, FormId b) {
  if (isConstant(a))
    std::swap(a, b);
  if (code == IntOp::And && isConstant(b)) {
    uint64_t mask = uint64_t(constantOf(b));
    uint64_t all = width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
    mask &= all;
    if ((mask & (mask + 1)) == 0 && lo(a) >= 0 && uint64_t(hi(a)) <= mask)
      return a;
  }
  if (isConstant(b) && constantOf(b) != 0) {
    // Below the constant's lowest one there is nothing to meet.
    auto zeros = unsigned(__builtin_ctzll(uint64_t(constantOf(b))));
    if (code != IntOp::And && zeros < 63 && lo(a) >= 0 && hi(a) < int64_t(1) << zeros)
      return add(a, b);
    // The mask of an expression is that of its operands, which it may make exact.
    if (code == IntOp::And && parts(a).size() == 1 && constantOf(a) == 0 && parts(a)[0].coef == 1) {
      const Atom inner = atoms[parts(a)[0].atom];
      bool isBitwise = inner.kind == Atom::Opaque && inner.width == width &&
                       (inner.op == IntOp::Or || inner.op == IntOp::Xor);
      if (isBitwise) {
        FormId p = bitwise(IntOp::And, width, inner.args[0], b),
               q = bitwise(IntOp::And, width, inner.args[1], b);
        return bitwise(inner.op, width, p, q);
      }
    }
  }
  std::optional<BitView> x = bitsOf(a, width), y = bitsOf(b, width);
  if (!x || !y)
    return opaque(code, width, {a, b});
  unsigned count = std::min(x->count, y->count);
  if (code == IntOp::And) {
    // Above the bits that can be told apart, only a constant mask of all ones or zeros is exact.
    BitView result = *x;
    for (unsigned i = 0; i < count; ++i) {
      uint64_t p = x->mask[i], q = y->mask[i];
      if (!q) {
        if (!y->bit(i)) {
          result.mask[i] = 0;
          result.flip &= ~(uint64_t(1) << i);
        }
      } else if (!p) {
        if (x->bit(i)) {
          result.mask[i] = q;
          result.flip = (result.flip & ~(uint64_t(1) << i)) | (uint64_t(y->bit(i)) << i);
        } // else stays 0
      } else if (p == q && x->bit(i) == y->bit(i)) {
      } else {
        return opaque(code, width, {a, b});
      }
    }
    FormId low = fromBits(result, 0, count, 0);
    if (count == width)
      return low;
    if (!isConstant(b))
      return opaque(code, width, {a, b});
    uint64_t all = width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
    uint64_t high = uint64_t(constantOf(b)) & all & ~((uint64_t(1) << count) - 1);
    if (high == 0)
      return low;
    if (high == (all & ~((uint64_t(1) << count) - 1)))
      return add(x->rest, low);
    if (((high >> count) & ((high >> count) + 1)) == 0 && lo(x->rest) >= 0 &&
        uint64_t(hi(x->rest)) <= (high | ((uint64_t(1) << count) - 1)))
      return add(x->rest, low);
    return opaque(code, width, {a, b});
  }
  // or, xor: bit by bit where both can be told apart; above, one of them must be zero.
  bool xHigh = x->count < width, yHigh = y->count < width;
  const BitView &longer = xHigh ? *y : *x;
  if (xHigh && yHigh)
    return opaque(code, width, {a, b});
  for (unsigned i = count; i < width; ++i)
    if (longer.mask[i] || longer.bit(i))
      return opaque(code, width, {a, b});
  BitView result = longer;
  result.count = count;
  for (unsigned i = 0; i < count; ++i) {
    uint64_t p = x->mask[i], q = y->mask[i];
    bool f = x->bit(i), g = y->bit(i), h;
    uint64_t r;
    if (code == IntOp::Xor) {
      r = p ^ q;
      h = f ^ g;
    } else if (!q) {
      r = g ? 0 : p;
      h = g || f;
    } else if (!p) {
      r = f ? 0 : q;
      h = f || g;
    } else if (p == q && f == g) {
      r = p;
      h = f;
    } else {
      return opaque(code, width, {a, b});
    }
    result.mask[i] = r;
    result.flip = (result.flip & ~(uint64_t(1) << i)) | (uint64_t(h) << i);
  }
  return add(xHigh ? x->rest : yHigh ? y->rest : 0, fromBits(result, 0, count, 0));
}

FormId Forms::shiftRight(unsigned width, FormId f, int64_t by, bool arithmetic) {
  if (by == 0)
    return f;
  f = arithmetic ? asSigned(f, width) : asUnsigned(f, width);
  if (by >= int64_t(width))
    return arithmetic && lo(f) < 0 ? opaque(IntOp::ShrS, width, {f, constant(by)}) : 0;
  if (isConstant(f))
    return constant(constantOf(f) >> by);
  if (lo(f) >= 0 && hi(f) >> by == 0)
    return 0;
  IntOp fallback = arithmetic ? IntOp::ShrS : IntOp::ShrU;
  if (arithmetic)
    if (std::optional<FormId> exact = signedBits(f, width, unsigned(by)))
      return *exact;
  std::optional<BitView> view = bitsOf(f, 64);
  if (!view || (lo(f) < 0 && view->count == 64))
    return opaque(fallback, width, {f, constant(by)});
  if (view->count < unsigned(by)) {
    return opaque(fallback, width, {f, constant(by)});
  }
  FormId low = fromBits(*view, unsigned(by), 64, -int(by));
  FormId high = 0;
  if (view->count < 64) {
    // `rest` is a multiple of 2^count, count >= by: the division is exact part by part.
    high = constant(constantOf(view->rest) >> by);
    for (Part part : llvm::SmallVector<Part, 8>(parts(view->rest)))
      high = add(high, ofAtom(part.atom, part.coef >> by));
  }
  return add(high, low);
}

FormId Forms::apply(IntOp op, unsigned width, llvm::ArrayRef<FormId> args) {
  switch (op) {
  case IntOp::And:
  case IntOp::Or:
  case IntOp::Xor:
    return wrap(bitwise(op, width, args[0], args[1]), width);
  case IntOp::ShrU:
  case IntOp::ShrS:
    if (isConstant(args[1]) && constantOf(args[1]) >= 0)
      return shiftRight(width, args[0], constantOf(args[1]), op == IntOp::ShrS);
    break;
  case IntOp::Shl: {
    if (!isConstant(args[1]))
      break;
    int64_t count = constantOf(args[1]);
    if (count < 0 || count >= int64_t(width))
      break;
    FormId shifted = scale(args[0], int64_t(uint64_t(1) << count));
    if (fits(shifted, width) && (width == 64 || count < 62))
      return shifted;
    // Bits that leave the register are dropped.
    if (std::optional<BitView> view = bitsOf(args[0], width); view && view->count == width)
      return asSigned(fromBits(*view, 0, width - unsigned(count), int(count)), width);
    break;
  }
  case IntOp::Mul:
    if (isConstant(args[0]))
      return wrap(scale(args[1], constantOf(args[0])), width);
    if (isConstant(args[1]))
      return wrap(scale(args[0], constantOf(args[1])), width);
    break;
  case IntOp::MinS:
  case IntOp::MaxS: {
    FormId difference = sub(args[0], args[1]);
    if (hi(difference) <= 0)
      return args[op == IntOp::MinS ? 0 : 1];
    if (lo(difference) >= 0)
      return args[op == IntOp::MinS ? 1 : 0];
    break;
  }
  case IntOp::Truncate:
    return wrap(args[0], width);
  case IntOp::SignExtend:
    return asSigned(args[0], width);
  case IntOp::Widen:
    return asUnsigned(args[0], width);
  default:
    break;
  }
  return opaque(op, width, args);
}
