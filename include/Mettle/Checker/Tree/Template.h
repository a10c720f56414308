//===- Template.h - Dependence trees up to where they stand -----*- C++ -*-===//
//
// A tree of an output element, taken apart into a template and a shift. The template says what is
// computed, with every address relative to the node's own; the shift says where it starts: a form
// for each slot (one for each parameter that is read, one for conditions). Two elements of one sum
// share a template, so a run of them is a first shift, a stride and a count, whoever adds them:
// registers, lanes, warps or the turns of a loop.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_CHECKER_TREE_TEMPLATE_H
#define METTLE_CHECKER_TREE_TEMPLATE_H

#include "Mettle/Checker/Term/Term.h"

namespace mettle::checker {

using TemplateId = uint32_t;

/// What a slot is relative to: a parameter's number, or one of these.
using SlotKey = uint32_t;
inline constexpr SlotKey ConditionSlot = 1u << 16, IntegerSlot = ConditionSlot + 1;

/// A child: its template and, for each of its slots, the parent's slot and the distance from it.
struct Child {
  TemplateId tree = 0;
  llvm::SmallVector<std::pair<uint32_t, FormId>, 2> slots;
  bool operator==(const Child &other) const { return tree == other.tree && slots == other.slots; }
};

struct Template {
  enum Kind : uint8_t {
    Const,   ///< data: bits
    Leaf,    ///< `bytes` of a parameter's memory
    Integer, ///< an integer of the thread, as data
    Op,      ///< name, of children
    Select,  ///< children: condition, then, else
    Concat,  ///< children, lowest bytes first
    Extract, ///< bytes of the child from data on
    Less,    ///< a condition: slot < 0
    Zero,    ///< slot == 0
    Not,
    And,
    Truth,   ///< data: 0 or 1
    Compare, ///< name, of two data children
    /// name folded over data elements: child 0 is what it starts from, if `starts`; the next two
    /// are the first element and the second.
    Run,
    Set,   ///< name (a maximum or minimum) over all children, in any order
    Pair,  ///< two factors, in any order
    State, ///< what a fold carries; data: its number there
    Fold,  ///< `count` turns of states: initial values, then bodies; data: turns << 32 | state
    Dot,   ///< products of one group: name is the arithmetic class; children: first, second
  };
  Kind kind = Const;
  uint8_t bytes = 0;
  bool starts = false;
  uint32_t name = 0;
  uint64_t data = 0;
  llvm::SmallVector<Child, 3> children;
  llvm::SmallVector<SlotKey, 2> slots;

  // Derived; not part of what it is.
  /// Variable bits and loops in the distances within.
  uint64_t bits = 0, loops = 0;
  bool hasBlocks = false;
  /// The value is never -0, and never has its sign bit set.
  bool neverNegativeZero = false, nonNegative = false;
  bool isFree = false; ///< holds an operation that the assembler may contract
  /// The shape without any distance: orders operands that commute.
  Hash128 shape;
  InstructionId instruction = ~0u;
};

/// A tree: a template and its shift.
struct Tree {
  TemplateId tree = 0;
  llvm::SmallVector<FormId, 2> shift;
  bool operator==(const Tree &other) const { return tree == other.tree && shift == other.shift; }
};

class Templates {
public:
  explicit Templates(Terms &terms);

  Terms &terms;
  Forms &forms;

  const Template &operator[](TemplateId id) const { return all[id]; }
  size_t size() const { return all.size(); }

  Tree make(Template node, llvm::ArrayRef<Tree> children);
  /// A node with one slot of its own.
  Tree makeLeaf(Template node, SlotKey key, FormId shift);
  Tree makeConstant(uint64_t bits, unsigned bytes);
  Tree makeTruth(bool value);
  Tree child(const Tree &tree, unsigned index) const;
  /// A node as it is, with these children.
  TemplateId makeWith(Template node, llvm::ArrayRef<Child> children) {
    node.children.assign(children.begin(), children.end());
    return intern(std::move(node));
  }
  /// The name of a kind that has one, else nothing.
  llvm::StringRef nameOf(const Template &node) const {
    return node.kind == Template::Op || node.kind == Template::Compare ||
                   node.kind == Template::Run || node.kind == Template::Set ||
                   node.kind == Template::Dot
               ? terms.nameText(node.name)
               : llvm::StringRef();
  }

  bool isTruth(const Tree &tree, bool value) const {
    return all[tree.tree].kind == Template::Truth && all[tree.tree].data == value;
  }

private:
  TemplateId intern(Template node);
  TemplateId add(Template node);
  std::vector<Template> all;
  InternTable table;
};

} // namespace mettle::checker

#endif // METTLE_CHECKER_TREE_TEMPLATE_H
