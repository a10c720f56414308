//===- Combine.cpp - The normal form of sums, runs and sets ---------------===//
//
// The rules that Canon/Rules.def lists, where trees are built: runs of one template, operands that
// commute, zeros that change nothing, maxima as sets.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Checker/Tree/Evaluate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace mettle::checker;

static bool adds(Forms &forms, llvm::ArrayRef<FormId> base, llvm::ArrayRef<FormId> stride,
                 int64_t times, llvm::ArrayRef<FormId> expected) {
  for (size_t i = 0; i < base.size(); ++i)
    if (forms.add(base[i], forms.scale(stride[i], times)) != expected[i])
      return false;
  return true;
}

static llvm::SmallVector<FormId, 2> difference(Forms &forms, llvm::ArrayRef<FormId> a,
                                               llvm::ArrayRef<FormId> b) {
  llvm::SmallVector<FormId, 2> result;
  for (size_t i = 0; i < a.size(); ++i)
    result.push_back(forms.sub(a[i], b[i]));
  return result;
}

/// Whether a distance points forward: its first part that is not zero, in an order that does not
/// depend on how a kernel numbers things.
static bool isForward(Forms &forms, llvm::ArrayRef<FormId> stride) {
  for (FormId f : stride) {
    if (forms.isConstant(f)) {
      if (forms.constantOf(f))
        return forms.constantOf(f) > 0;
      continue;
    }
    // Larger symbols first.
    int64_t most = 0;
    for (const Part &part : forms.parts(f))
      if (std::abs(part.coef) > std::abs(most))
        most = part.coef;
    return most > 0;
  }
  return true;
}

bool Evaluator::isForward(llvm::ArrayRef<FormId> shift, llvm::ArrayRef<FormId> from) {
  return ::isForward(forms, difference(forms, shift, from));
}

bool Evaluator::takeZero(uint32_t op, Tree &tree, llvm::SmallVectorImpl<FormId> *stride) const {
  const Template &node = trees[tree.tree];
  if (node.kind != Template::Op || node.name != op || node.children.size() != 2)
    return false;
  for (unsigned i = 0; i < 2; ++i) {
    const Template &zero = trees[node.children[i].tree];
    if (zero.kind != Template::Const || zero.data != 0)
      continue;
    if (stride) {
      llvm::SmallVector<FormId, 2> inner;
      for (auto [slot, distance] : node.children[1 - i].slots)
        inner.push_back((*stride)[slot]);
      stride->assign(inner.begin(), inner.end());
    }
    tree = trees.child(tree, 1 - i);
    return true;
  }
  return false;
}

Tree Evaluator::addZero(uint32_t op, Tree tree) {
  const Template &sum = trees[tree.tree];
  if (sum.neverNegativeZero &&
      (sum.kind == Template::Run || (sum.kind == Template::Op && sum.name == op))) {
    terms.rules.add(RuleId::ZeroDrops);
    return tree;
  }
  Tree zero = trees.makeConstant(0, sum.bytes);
  Template node;
  node.kind = Template::Op;
  node.name = op;
  node.bytes = sum.bytes;
  node.neverNegativeZero = true;
  node.nonNegative = sum.nonNegative;
  return trees.make(node, {zero, tree});
}

Tree Evaluator::append(uint32_t op, std::optional<Tree> start, Tree first,
                       llvm::ArrayRef<FormId> stride, int64_t count) {
  if (terms.traits(op).isPlainSum) {
    // A +0 anywhere in a sum is a +0 at its root: see the rule zero-floats.
    llvm::SmallVector<FormId, 2> inner(stride);
    bool zero = takeZero(op, first, &inner);
    if (start && trees[start->tree].kind == Template::Const && trees[start->tree].data == 0) {
      start.reset();
      zero = true;
    }
    if (start)
      zero |= takeZero(op, *start, nullptr);
    if (zero) {
      terms.rules.add(RuleId::ZeroFloats);
      return addZero(op, append(op, start, first, inner, count));
    }
  }
  if (count == 1 && start)
    return combine(op, false, *start, first);
  if (count == 1)
    return first;
  if (start) {
    const Template &acc = trees[start->tree];
    if (acc.kind == Template::Run && acc.name == op) {
      unsigned at = acc.starts ? 1 : 0;
      Tree head = trees.child(*start, at), next = trees.child(*start, at + 1);
      auto has = difference(forms, next.shift, head.shift);
      auto n = int64_t(acc.data);
      if (head.tree == first.tree && llvm::ArrayRef(has) == stride &&
          adds(forms, head.shift, has, n, first.shift)) {
        std::optional<Tree> before;
        if (acc.starts)
          before = trees.child(*start, 0);
        return append(op, before, head, stride, n + count);
      }
    } else if (acc.kind == Template::Op && acc.name == op && acc.children.size() == 2) {
      for (unsigned i = 0; i < 2; ++i) {
        Tree lastOne = trees.child(*start, 1 - i);
        if (lastOne.tree == first.tree && adds(forms, lastOne.shift, stride, 1, first.shift))
          return append(op, trees.child(*start, i), lastOne, stride, count + 1);
      }
    } else if (start->tree == first.tree && adds(forms, start->shift, stride, 1, first.shift)) {
      return append(op, std::nullopt, *start, stride, count + 1);
    }
  }
  Tree second = first;
  for (size_t i = 0; i < second.shift.size(); ++i)
    second.shift[i] = forms.add(second.shift[i], stride[i]);
  terms.rules.add(RuleId::Run);
  Template node;
  node.kind = Template::Run;
  node.name = op;
  node.instruction = current;
  node.isFree = terms.traits(op).isFree;
  node.bytes = trees[first.tree].bytes;
  node.data = uint64_t(count);
  node.starts = start.has_value();
  node.neverNegativeZero =
      trees[first.tree].neverNegativeZero || (start && trees[start->tree].neverNegativeZero);
  node.nonNegative = trees[first.tree].nonNegative && (!start || trees[start->tree].nonNegative);
  if (!terms.traits(op).isPlainSum)
    node.neverNegativeZero = node.nonNegative = false;
  if (terms.traits(op).isDot)
    node.neverNegativeZero = true;
  if (terms.traits(op).isFma && trees[first.tree].nonNegative &&
      (!start || trees[start->tree].nonNegative))
    node.neverNegativeZero = node.nonNegative = true;
  llvm::SmallVector<Tree, 3> children;
  if (start)
    children.push_back(*start);
  children.push_back(first);
  children.push_back(second);
  return trees.make(node, children);
}

/// What a tree is if it reads ex2((x - m) * c) for a constant c > 0.
std::optional<Evaluator::Exponential> Evaluator::readExponential(const Tree &tree) const {
  auto isOp = [&](const Tree &t, llvm::StringRef name) {
    return trees[t.tree].kind == Template::Op && terms.nameText(trees[t.tree].name) == name;
  };
  if (!isOp(tree, "ex2.approx.f32") && !isOp(tree, "ex2.approx.ftz.f32"))
    return std::nullopt;
  Tree product = trees.child(tree, 0);
  if (!isOp(product, "mul.rn.f32"))
    return std::nullopt;
  for (unsigned i = 0; i < 2; ++i) {
    Tree factor = trees.child(product, i), difference = trees.child(product, 1 - i);
    const Template &constant = trees[factor.tree];
    if (constant.kind == Template::Const && constant.data > 0x00800000 &&
        constant.data < 0x7f800000 && isOp(difference, "sub.rn.f32"))
      return Exponential{trees.child(difference, 0), trees.child(difference, 1), constant.data,
                         trees[tree.tree].name};
  }
  return std::nullopt;
}

bool Evaluator::isPadding(const Tree &sum, const Tree &added) const {
  std::optional<Exponential> pad = readExponential(added);
  constexpr uint64_t MinusInfinity = 0xff800000;
  if (!pad || trees[pad->x.tree].kind != Template::Const ||
      trees[pad->x.tree].data != MinusInfinity)
    return false;
  const Template &most = trees[pad->maximum.tree];
  if (most.kind != Template::Set || terms.nameText(most.name) != "max.f32")
    return false;
  bool holdsPad = false;
  for (unsigned i = 0; i < most.children.size(); ++i)
    holdsPad |= trees.child(pad->maximum, i) == pad->x;
  if (!holdsPad || !trees[sum.tree].neverNegativeZero)
    return false;
  // Some element of the sum is of a member of the maximum.
  llvm::SmallVector<Tree, 8> work = {sum};
  for (unsigned looked = 0; !work.empty() && looked < 64; ++looked) {
    Tree at = work.pop_back_val();
    const Template &node = trees[at.tree];
    bool isSum = (node.kind == Template::Op || node.kind == Template::Run) &&
                 terms.nameText(node.name) == "add.rn.f32";
    if (isSum) {
      unsigned count = node.kind == Template::Run ? node.starts + 1 : 2;
      for (unsigned i = 0; i < count; ++i)
        work.push_back(trees.child(at, i));
      continue;
    }
    std::optional<Exponential> real = readExponential(at);
    if (!real || !(real->maximum == pad->maximum) || real->factor != pad->factor ||
        real->name != pad->name)
      continue;
    for (unsigned i = 0; i < most.children.size(); ++i)
      if (trees.child(pad->maximum, i) == real->x && !(real->x == pad->x))
        return true;
  }
  return false;
}

Tree Evaluator::combine(uint32_t op, bool commutes, Tree a, Tree b) {
  bool isSum = terms.traits(op).isPlainSum;
  // x + (+0) is x unless x is -0.
  if (isSum) {
    auto isZero = [&](const Tree &t) {
      return trees[t.tree].kind == Template::Const && trees[t.tree].data == 0;
    };
    auto canDrop = [&](const Tree &kept) {
      return trees[kept.tree].neverNegativeZero && trees[kept.tree].kind != Template::Const &&
             (trees[kept.tree].kind == Template::Run || trees[kept.tree].kind == Template::Op);
    };
    if ((isZero(b) && canDrop(a)) || (isZero(a) && canDrop(b))) {
      terms.rules.add(RuleId::ZeroDrops);
      return isZero(b) ? a : b;
    }
    // A masked element of a softmax adds +0, or NaN to what is NaN already.
    if (bool first = isPadding(b, a); first || isPadding(a, b)) {
      terms.rules.add(RuleId::SoftmaxPadding);
      return first ? b : a;
    }
    bool zero = takeZero(op, a, nullptr);
    zero |= takeZero(op, b, nullptr);
    if (zero) {
      terms.rules.add(RuleId::ZeroFloats);
      return addZero(op, combine(op, commutes, a, b));
    }
    if (isZero(a) || isZero(b)) {
      if (isZero(a) && isZero(b))
        return a;
      return addZero(op, isZero(a) ? b : a);
    }
  }
  // +0 * +0 added to what is never -0 changes nothing.
  if (terms.traits(op).isFma && trees[b.tree].kind == Template::Pair) {
    auto isZero = [&](const Tree &t) {
      return trees[t.tree].kind == Template::Const && trees[t.tree].data == 0;
    };
    const Template &sum = trees[a.tree];
    bool isSum =
        sum.kind == Template::Run ||
        (sum.kind == Template::Op && (sum.name == op || terms.nameText(sum.name) == "mul.rn.f32"));
    if (isZero(trees.child(b, 0)) && isZero(trees.child(b, 1)) &&
        (isZero(a) || (isSum && sum.neverNegativeZero))) {
      terms.rules.add(RuleId::ZeroProduct);
      return a;
    }
  }
  // A step that adds no product leaves the sum of such steps, and +0, as they are.
  if (terms.traits(op).isDot && trees[b.tree].kind == Template::Dot && trees[b.tree].data == 0) {
    const Template &sum = trees[a.tree];
    if (((sum.kind == Template::Run || sum.kind == Template::Op) && sum.name == op) ||
        (sum.kind == Template::Const && sum.data == 0)) {
      terms.rules.add(RuleId::EmptyStep);
      return a;
    }
  }
  auto extend = [&](const Tree &acc, const Tree &x, Tree &result) {
    const Template &node = trees[acc.tree];
    if (node.kind == Template::Run && node.name == op) {
      unsigned at = node.starts ? 1 : 0;
      Tree head = trees.child(acc, at), next = trees.child(acc, at + 1);
      if (head.tree != x.tree)
        return false;
      auto stride = difference(forms, next.shift, head.shift);
      std::optional<Tree> start;
      if (node.starts)
        start = trees.child(acc, 0);
      auto n = int64_t(node.data);
      if (adds(forms, head.shift, stride, n, x.shift)) {
        result = append(op, start, head, stride, n + 1);
        return true;
      }
      if (commutes && n == 2 && !node.starts && adds(forms, head.shift, stride, -1, x.shift)) {
        for (FormId &f : stride)
          f = forms.scale(f, -1);
        result = append(op, std::nullopt, next, stride, 3);
        return true;
      }
      return false;
    }
    if (node.kind == Template::Op && node.name == op && node.children.size() == 2) {
      for (unsigned i = 0; i < 2; ++i) {
        Tree lastOne = trees.child(acc, 1 - i);
        if (lastOne.tree != x.tree)
          continue;
        if (!commutes && i == 1)
          continue;
        auto stride = difference(forms, x.shift, lastOne.shift);
        result = append(op, trees.child(acc, i), lastOne, stride, 2);
        return true;
      }
    }
    return false;
  };
  Tree result;
  if (extend(a, b, result))
    return result;
  if (commutes && extend(b, a, result)) {
    terms.rules.add(RuleId::Commute);
    return result;
  }
  if (a.tree == b.tree && commutes) {
    auto stride = difference(forms, b.shift, a.shift);
    if (!::isForward(forms, stride)) {
      terms.rules.add(RuleId::Commute);
      std::swap(a, b);
      for (FormId &f : stride)
        f = forms.scale(f, -1);
    }
    return append(op, std::nullopt, a, stride, 2);
  }
  if (commutes && isBefore(b, a)) {
    terms.rules.add(RuleId::Commute);
    std::swap(a, b);
  }
  Template node;
  node.kind = Template::Op;
  node.name = op;
  node.instruction = current;
  node.isFree = terms.traits(op).isFree;
  node.bytes = trees[a.tree].bytes;
  node.neverNegativeZero =
      isSum && (trees[a.tree].neverNegativeZero || trees[b.tree].neverNegativeZero);
  node.nonNegative = isSum && trees[a.tree].nonNegative && trees[b.tree].nonNegative;
  if (terms.traits(op).isFma && trees[a.tree].nonNegative && trees[b.tree].nonNegative)
    node.neverNegativeZero = node.nonNegative = true;
  if (terms.traits(op).isDot)
    node.neverNegativeZero = true;
  return trees.make(node, {a, b});
}

/// Of two templates of one shape: whether the first distance within that is another is the smaller
/// one. Never by their numbers, which are those of a kernel's own order.
bool Evaluator::isNearer(TemplateId x, TemplateId y) {
  while (x != y) {
    TemplateId nextX = x, nextY = y;
    for (size_t i = 0; i < trees[x].children.size(); ++i) {
      const Child &a = trees[x].children[i], &b = trees[y].children[i];
      if (a.tree != b.tree) {
        nextX = a.tree, nextY = b.tree;
        break;
      }
      for (size_t k = 0; k < a.slots.size(); ++k) {
        auto [slot, distance] = a.slots[k];
        auto [otherSlot, otherDistance] = b.slots[k];
        if (slot != otherSlot)
          return slot < otherSlot;
        if (distance == otherDistance)
          continue;
        if (forms.parts(distance) == forms.parts(otherDistance))
          return forms.constantOf(distance) < forms.constantOf(otherDistance);
        return forms.hash(distance) < forms.hash(otherDistance);
      }
    }
    if (nextX == x)
      return false;
    x = nextX, y = nextY;
  }
  return false;
}

bool Evaluator::isBefore(const Tree &x, const Tree &y) {
  if (x.tree != y.tree) {
    const Hash128 &p = trees[x.tree].shape, &q = trees[y.tree].shape;
    return p != q ? p < q : isNearer(x.tree, y.tree);
  }
  for (size_t i = 0; i < x.shift.size(); ++i)
    if (x.shift[i] != y.shift[i]) {
      if (forms.parts(x.shift[i]) == forms.parts(y.shift[i]))
        return forms.constantOf(x.shift[i]) < forms.constantOf(y.shift[i]);
      return !::isForward(forms, {forms.sub(x.shift[i], y.shift[i])});
    }
  return false;
}

void Evaluator::sortTrees(std::vector<Tree> &list) {
  // By insertion, which bears forms that have no order.
  auto before = [&](const Tree &x, const Tree &y) { return isBefore(x, y); };
  for (size_t i = 1; i < list.size(); ++i)
    if (isBefore(list[i], list[i - 1]))
      std::rotate(std::upper_bound(list.begin(), list.begin() + i, list[i], before),
                  list.begin() + i, list.begin() + i + 1);
}

Tree Evaluator::maximum(uint32_t name, unsigned bytes, Tree a, Tree b) {
  terms.rules.add(RuleId::MaximumIsASet);
  // The elements of both, each once, as long as two are left.
  std::vector<Tree> lists[2], elements;
  for (unsigned side = 0; side < 2; ++side) {
    const Tree &tree = side ? b : a;
    std::vector<Tree> &list = lists[side];
    const Template &node = trees[tree.tree];
    if (node.kind == Template::Set && node.name == name) {
      for (unsigned i = 0; i < node.children.size(); ++i)
        list.push_back(trees.child(tree, i));
    } else {
      list.push_back(tree);
    }
  }
  std::merge(lists[0].begin(), lists[0].end(), lists[1].begin(), lists[1].end(),
             std::back_inserter(elements),
             [&](const Tree &x, const Tree &y) { return isBefore(x, y); });
  std::vector<Tree> unique;
  for (const Tree &element : elements)
    if (unique.empty() || !(unique.back() == element))
      unique.push_back(element);
  if (unique.size() == 1)
    unique = elements;
  Template node;
  node.kind = Template::Set;
  node.name = name;
  node.bytes = uint8_t(bytes);
  return trees.make(node, unique);
}

/// The f32 of an f16; nothing for a NaN.
static std::optional<uint32_t> widenHalf(uint16_t half) {
  uint32_t sign = uint32_t(half & 0x8000) << 16, exponent = half >> 10 & 31,
           fraction = half & 0x3ff;
  if (exponent == 31)
    return fraction ? std::nullopt : std::optional(sign | 0x7f800000u);
  if (exponent == 0) {
    if (fraction == 0)
      return sign;
    unsigned shift = unsigned(__builtin_clz(fraction)) - 21;
    return sign | (113 - shift) << 23 | ((fraction << shift) & 0x3ff) << 13;
  }
  return sign | (exponent + 112) << 23 | fraction << 13;
}

Tree Evaluator::operation(uint32_t name, unsigned bytes, llvm::ArrayRef<Tree> args,
                          InstructionId at) {
  llvm::StringRef text = terms.nameText(name);
  current = at;
  auto is = [&](llvm::StringRef prefix) { return text.starts_with(prefix); };
  if (!args.empty() && llvm::all_of(args, [&](const Tree &arg) {
        return trees[arg.tree].kind == Template::Const && trees[arg.tree].bytes <= 8;
      })) {
    llvm::SmallVector<uint64_t, 3> numbers;
    for (const Tree &arg : args)
      numbers.push_back(trees[arg.tree].data);
    if (std::optional<uint64_t> value = foldInteger(text, numbers)) {
      terms.rules.add(RuleId::Integers);
      return trees.makeConstant(*value, bytes);
    }
  }
  if (args.size() == 2 &&
      (is("add.rn") || is("add.free") || is("add.rz") || is("add.rm") || is("add.rp"))) {
    Tree sum = combine(name, true, args[0], args[1]);
    return sum;
  }
  if (args.size() == 2 && is("dot."))
    return combine(name, false, args[0], args[1]);
  bool isInteger = text.ends_with(".s32") || text.ends_with(".u32") || text.ends_with(".b32");
  if (args.size() == 2 && isInteger && commutes(text))
    return combine(name, true, args[0], args[1]);
  if (args.size() == 2 &&
      (text == "max.f32" || text == "min.f32" || text == "max.NaN.f32" || text == "min.NaN.f32"))
    return maximum(name, bytes, args[0], args[1]);
  // Widening a constant that is no NaN is exact.
  if (text == "cvt.f32.f16" && trees[args[0].tree].kind == Template::Const)
    if (std::optional<uint32_t> wide = widenHalf(uint16_t(trees[args[0].tree].data))) {
      terms.rules.add(RuleId::WideningIsExact);
      return trees.makeConstant(*wide, 4);
    }
  if (text == "cvt.f32.bf16" && trees[args[0].tree].kind == Template::Const &&
      (trees[args[0].tree].data & 0x7fff) <= 0x7f80) {
    terms.rules.add(RuleId::WideningIsExact);
    return trees.makeConstant(trees[args[0].tree].data << 16, 4);
  }
  Template node;
  node.kind = Template::Op;
  node.name = name;
  node.bytes = uint8_t(bytes);
  node.instruction = at;
  node.isFree = text.contains(".free.") && !is("mul.");
  if (args.size() == 3 && is("fma.")) {
    Template pair;
    pair.kind = Template::Pair;
    pair.bytes = uint8_t(bytes);
    Tree x = args[0], y = args[1];
    if (isBefore(y, x)) {
      terms.rules.add(RuleId::Commute);
      std::swap(x, y);
    }
    pair.nonNegative = x == y && trees[x.tree].bytes == 4;
    Tree product = trees.make(pair, {x, y});
    return combine(name, false, args[2], product);
  }
  if (args.size() == 2 && is("mul.")) {
    // The assembler's choice is recorded at the sum that takes the product.
    if (is("mul.free"))
      node.name = terms.name(("mul.rn" + text.substr(8)).str());
    bool square = args[0] == args[1];
    if (square && trees[args[0].tree].kind == Template::Const && trees[args[0].tree].data == 0)
      return args[0];
    node.nonNegative = node.neverNegativeZero = square && bytes == 4;
    Tree x = args[0], y = args[1];
    if (isBefore(y, x)) {
      terms.rules.add(RuleId::Commute);
      std::swap(x, y);
    }
    return trees.make(node, {x, y});
  }
  if (text == "ex2.approx.f32" || text == "ex2.approx.ftz.f32")
    node.nonNegative = node.neverNegativeZero = true;
  return trees.make(node, args);
}
