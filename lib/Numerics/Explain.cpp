//===- Explain.cpp - The dependence tree of one element of D --------------===//
//
// Expands a plan into operations, and prints them.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/Explain.h"
#include "PlanFold.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mettle::numerics;
using Node = DependenceNode;

static constexpr llvm::StringLiteral opNames[] = {
    "x * alpha", "x + beta * C",         "fma(beta, C, x)",  "x + bias(row)",    "x + bias(col)",
    "max(x, 0)", "max(x, 0), NaN stays", "x rounded to f16", "x rounded to bf16"};

/// How a drawing shows each kind of node; of a product it shows the element's number.
static constexpr struct {
  llvm::StringLiteral colour, label;
} drawn[] = {{"#ddd", "0"}, {"#fc8", "C"}, {"#fff", ""}, {"#8cf", "S"},
             {"#fd6", "R"}, {"#9d9", "+"}, {"#d9d", "E"}};

namespace {

/// A value is the index of a node.
class Expander : public PlanFold<Expander, uint32_t> {
public:
  Expander(const KPlan &plan, DependenceTree &tree) : PlanFold(tree.desc, plan), tree(tree) {}

  uint32_t run() {
    uint32_t value = fold();
    Format format = plan.nodes.empty() ? desc.step.result : desc.accumulated();
    for (EpilogueOp op : desc.epilogue.ops) {
      format = desc.epilogue.compute;
      value = node({Node::Epilogue, 0, format, op, {value}});
    }
    return format == desc.output ? value : round(value, format, desc.output);
  }

  uint32_t start() {
    return node(
        {desc.startFromC ? Node::C : Node::Zero, 0, desc.step.result, EpilogueOp::Alpha, {}});
  }
  uint32_t zero(Format format) { return node({Node::Zero, 0, format, EpilogueOp::Alpha, {}}); }
  uint32_t round(uint32_t value, Format, Format to) {
    return node({Node::Round, 0, to, EpilogueOp::Alpha, {value}});
  }
  uint32_t add(Format result, uint32_t sum, Format, uint32_t part) {
    return node({Node::Add, 0, result, EpilogueOp::Alpha, {sum, part}});
  }
  uint32_t instruction(uint32_t acc, llvm::ArrayRef<uint64_t> products) {
    Node step{Node::Step, 0, desc.step.result, EpilogueOp::Alpha, {acc}};
    for (uint64_t k : products)
      step.inputs.push_back(node({Node::Product, k, desc.step.result, EpilogueOp::Alpha, {}}));
    return node(std::move(step));
  }

private:
  uint32_t node(Node node) {
    tree.nodes.push_back(std::move(node));
    return uint32_t(tree.nodes.size() - 1);
  }

  DependenceTree &tree;
};

/// Prints a tree, flattening chains.
class Printer {
public:
  Printer(const DependenceTree &tree, llvm::raw_ostream &os) : tree(tree), os(os) {}

  void print(uint32_t index, unsigned depth) {
    const Node &node = tree.nodes[index];
    switch (node.kind) {
    case Node::Zero:
      line(depth) << "+0\n";
      return;
    case Node::C:
      line(depth) << "C(" << tree.row << ", " << tree.col << ")\n";
      return;
    case Node::Product:
      line(depth) << "A(" << tree.row << ", " << node.k << ") * B(" << node.k << ", " << tree.col
                  << ")\n";
      return;
    case Node::Step:
      return chain(index, depth);
    case Node::Round:
      line(depth) << "round to " << name(node.format) << '\n';
      break;
    case Node::Add:
      line(depth) << "add in " << name(node.format) << '\n';
      break;
    case Node::Epilogue:
      line(depth) << opNames[size_t(node.op)] << " in " << name(node.format) << '\n';
      break;
    }
    for (uint32_t input : node.inputs)
      print(input, depth + 1);
  }

private:
  llvm::raw_ostream &line(unsigned depth) { return os.indent(2 * depth); }

  void chain(uint32_t index, unsigned depth) {
    std::vector<uint32_t> steps;
    uint32_t at = index;
    for (; tree.nodes[at].kind == Node::Step; at = tree.nodes[at].inputs[0])
      steps.push_back(at);
    line(depth) << "chain of " << steps.size() << " steps, each " << tree.desc.step.text() << '\n';
    print(at, depth + 1);
    for (uint32_t step : llvm::reverse(steps)) {
      line(depth + 1) << "step k";
      runs(llvm::ArrayRef(tree.nodes[step].inputs).drop_front());
      os << '\n';
    }
  }

  /// `0-15` for consecutive elements, ` 3` for single ones.
  void runs(llvm::ArrayRef<uint32_t> products) {
    for (size_t i = 0; i < products.size();) {
      size_t end = i + 1;
      while (end < products.size() &&
             tree.nodes[products[end]].k == tree.nodes[products[end - 1]].k + 1)
        ++end;
      os << ' ' << tree.nodes[products[i]].k;
      if (end - i > 1)
        os << '-' << tree.nodes[products[end - 1]].k;
      i = end;
    }
  }

  const DependenceTree &tree;
  llvm::raw_ostream &os;
};

} // namespace

DependenceTree mettle::numerics::explain(const GEMMDesc &desc, uint64_t k, uint64_t row,
                                         uint64_t col) {
  DependenceTree tree;
  tree.desc = desc;
  tree.row = row, tree.col = col;
  KPlan plan = KPlan::build(desc, k);
  uint32_t root = Expander(plan, tree).run();
  // The root is made last, except where D is an operand as it is.
  if (root + 1 != tree.nodes.size())
    tree.nodes.push_back(tree.nodes[root]);
  return tree;
}

std::string DependenceTree::text() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "D(" << row << ", " << col << ") = " << desc.text() << '\n';
  Printer(*this, os).print(uint32_t(nodes.size() - 1), 1);
  return text;
}

std::string DependenceTree::svg() const {
  constexpr double unit = 18, level = 34, margin = 20;
  std::vector<double> x(nodes.size()), y(nodes.size());
  double next = 0;
  for (size_t i = 0; i < nodes.size(); ++i) {
    const Node &node = nodes[i];
    if (node.inputs.empty()) {
      x[i] = next++ * unit;
      continue;
    }
    for (uint32_t input : node.inputs) {
      x[i] += x[input] / double(node.inputs.size());
      y[i] = std::max(y[i], y[input] + level);
    }
  }
  double width = next * unit + 2 * margin, height = y.back() + 2 * margin;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << int(width) << "\" height=\""
     << int(height) << "\" font-family=\"sans-serif\" font-size=\"9\" text-anchor=\"middle\">\n";
  // Leaves on top, D at the bottom: values travel down.
  for (size_t i = 0; i < nodes.size(); ++i)
    for (uint32_t input : nodes[i].inputs)
      os << "<line x1=\"" << int(x[input] + margin) << "\" y1=\"" << int(y[input] + margin)
         << "\" x2=\"" << int(x[i] + margin) << "\" y2=\"" << int(y[i] + margin)
         << "\" stroke=\"#888\"/>\n";
  for (size_t i = 0; i < nodes.size(); ++i) {
    const Node &node = nodes[i];
    os << "<circle cx=\"" << int(x[i] + margin) << "\" cy=\"" << int(y[i] + margin)
       << "\" r=\"8\" fill=\"" << drawn[node.kind].colour << "\" stroke=\"#444\"/><text x=\""
       << int(x[i] + margin) << "\" y=\"" << int(y[i] + margin + 3) << "\">"
       << drawn[node.kind].label;
    if (node.kind == Node::Product)
      os << node.k;
    os << "</text>\n";
  }
  os << "</svg>\n";
  return text;
}
