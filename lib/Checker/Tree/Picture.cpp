//===- Picture.cpp - A tree as an SVG document ----------------------------===//
//
// The root stands at the left and what it is of at its right, so that long labels stand side by
// side. A node's column is its longest way from the root; its rows are those of the nodes that hang
// below it first, which never overlap. A node that hangs below several is drawn once: the other
// edges to it are dashed.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Checker/Tree/Print.h"
#include "llvm/Support/raw_ostream.h"

using namespace mettle::checker;

namespace {
/// Pixels.
constexpr int RowHeight = 40, BoxHeight = 32, CharWidth = 7, Padding = 10, Gap = 46, Margin = 16,
              TitleHeight = 34;
constexpr size_t MostChars = 44;

struct Box {
  unsigned column = 0;
  double row = 0;
  int parent = -1; ///< below which it hangs
  int x = 0, y = 0, width = 0;
};

class Layout {
public:
  explicit Layout(const Drawing &drawing);
  std::vector<Box> boxes;
  int width = 0, height = 0;

private:
  void findColumns();
  void place(unsigned node, double &next);
  const Drawing &drawing;
};
} // namespace

static std::string shortened(const std::string &text) {
  return text.size() <= MostChars ? text : text.substr(0, MostChars - 1) + "\u2026";
}

/// Characters, not bytes: the ellipsis is three.
static size_t charsOf(const std::string &label) { return std::min(label.size(), MostChars); }

static std::string escaped(llvm::StringRef text) {
  std::string result;
  for (char c : text)
    result += c == '<'   ? std::string("&lt;")
              : c == '>' ? std::string("&gt;")
              : c == '&' ? std::string("&amp;")
                         : std::string(1, c);
  return result;
}

Layout::Layout(const Drawing &drawing) : boxes(drawing.nodes.size()), drawing(drawing) {
  findColumns();
  double next = 0;
  place(0, next);
  std::vector<int> widths;
  std::vector<bool> hasRoles;
  for (size_t i = 0; i < boxes.size(); ++i) {
    unsigned column = boxes[i].column;
    if (widths.size() <= column) {
      widths.resize(column + 1);
      hasRoles.resize(column + 1);
    }
    size_t chars = charsOf(drawing.nodes[i].label);
    // The second line is set smaller.
    chars = std::max(chars, charsOf(drawing.nodes[i].below()) * 6 / 7 + 1);
    boxes[i].width = int(chars) * CharWidth + 2 * Padding;
    widths[column] = std::max(widths[column], boxes[i].width);
    for (const auto &child : drawing.nodes[i].children)
      hasRoles[column] = hasRoles[column] || !child.second.empty();
  }
  std::vector<int> left(widths.size(), Margin);
  for (size_t c = 1; c < left.size(); ++c)
    left[c] = left[c - 1] + widths[c - 1] + Gap + (hasRoles[c - 1] ? 24 : 0);
  for (Box &box : boxes) {
    box.x = left[box.column];
    box.y = int(box.row * RowHeight);
  }
  width = left.back() + widths.back() + Margin;
  height = int(next) * RowHeight;
}

/// Numbers of nodes do not rise along all edges, so the longest ways are found by counting down.
void Layout::findColumns() {
  std::vector<unsigned> waiting(boxes.size());
  for (const Drawing::Node &node : drawing.nodes)
    for (const auto &child : node.children)
      ++waiting[child.first];
  std::vector<unsigned> work = {0};
  while (!work.empty()) {
    unsigned at = work.back();
    work.pop_back();
    for (const auto &child : drawing.nodes[at].children) {
      Box &box = boxes[child.first];
      if (box.parent < 0 || boxes[at].column + 1 > box.column)
        box.parent = int(at);
      box.column = std::max(box.column, boxes[at].column + 1);
      if (--waiting[child.first] == 0)
        work.push_back(child.first);
    }
  }
}

/// Gives the node and what hangs below it rows from `next` on.
void Layout::place(unsigned node, double &next) {
  std::optional<double> first, last;
  std::vector<bool> isPlaced;
  for (const auto &child : drawing.nodes[node].children) {
    // A child that stands twice hangs once.
    if (boxes[child.first].parent != int(node) || boxes[child.first].row > 0 ||
        (first && boxes[child.first].row == *first))
      continue;
    boxes[child.first].parent = int(node);
    place(child.first, next);
    if (!first)
      first = boxes[child.first].row;
    last = boxes[child.first].row;
  }
  if (!first) {
    boxes[node].row = next + 0.5;
    next += 1;
    return;
  }
  boxes[node].row = (*first + *last) / 2;
}

/// Fill and line.
static std::pair<const char *, const char *> colours(const Drawing::Node &node) {
  if (node.leftOut)
    return {"#ffffff", "#999999"};
  switch (node.kind) {
  case Template::Leaf:
    return {"#dceefb", "#3b7ea8"};
  case Template::Const:
  case Template::Integer:
  case Template::Truth:
    return {"#eeeeee", "#888888"};
  case Template::Run:
  case Template::Set:
  case Template::Fold:
    return {"#fde8cf", "#c07a23"};
  case Template::Dot:
  case Template::Pair:
    return {"#dff3dd", "#4a8f45"};
  case Template::Select:
  case Template::Less:
  case Template::Zero:
  case Template::Not:
  case Template::And:
  case Template::Compare:
    return {"#ece3f7", "#7d5aa6"};
  default:
    return {"#fff8d6", "#a8942c"};
  }
}

static void printEdge(llvm::raw_ostream &os, const Box &from, const Box &to, bool hangs,
                      const std::string &role, int top) {
  int x = from.x + from.width, y = from.y + top, toX = to.x, toY = to.y + top;
  int bend = std::min((toX - x) / 2, 60);
  os << "<path d=\"M" << x << ' ' << y << " C" << x + bend << ' ' << y << ' ' << toX - bend << ' '
     << toY << ' ' << toX << ' ' << toY << "\" class=\"" << (hangs ? "edge" : "edge shared")
     << "\"/>\n";
  if (!role.empty())
    os << "<text x=\"" << toX - 4 << "\" y=\"" << toY - 4 << "\" class=\"role\">" << escaped(role)
       << "</text>\n";
}

static void printBox(llvm::raw_ostream &os, const Drawing::Node &node, const Box &box, int top) {
  auto [fill, line] = colours(node);
  int y = box.y + top - BoxHeight / 2;
  std::string below = node.below();
  os << "<g><title>" << escaped(node.label) << "</title><rect x=\"" << box.x << "\" y=\"" << y
     << "\" width=\"" << box.width << "\" height=\"" << BoxHeight << "\" rx=\"5\" fill=\"" << fill
     << "\" stroke=\"" << line << '"' << (node.leftOut ? " stroke-dasharray=\"4 3\"" : "")
     << "/><text x=\"" << box.x + Padding << "\" y=\"" << y + (below.empty() ? 20 : 14) << "\">"
     << escaped(shortened(node.label)) << "</text>";
  if (!below.empty())
    os << "<text x=\"" << box.x + Padding << "\" y=\"" << y + 26 << "\" class=\"line\">"
       << escaped(shortened(below)) << "</text>";
  os << "</g>\n";
}

void mettle::checker::printSvg(llvm::raw_ostream &os,
                               llvm::ArrayRef<std::pair<std::string, Drawing>> drawings) {
  std::vector<Layout> layouts;
  int width = 0, height = Margin;
  for (const auto &[title, drawing] : drawings) {
    layouts.emplace_back(drawing);
    int titleWidth = int(title.size()) * 8 + 2 * Margin;
    width = std::max({width, layouts.back().width, titleWidth});
    height += TitleHeight + layouts.back().height;
  }
  height += Margin;
  os << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width << "\" height=\"" << height
     << "\" viewBox=\"0 0 " << width << ' ' << height << "\">\n"
     << "<style>text { font: 11.6px 'DejaVu Sans Mono', monospace; fill: #222 }\n"
        ".title { font-size: 13px; font-weight: bold } .line { font-size: 9.5px; fill: #777 }\n"
        ".role { font-size: 9.5px; fill: #777; text-anchor: end; "
        "paint-order: stroke; stroke: #fff; stroke-width: 3px }\n"
        ".edge { fill: none; stroke: #999 } .shared { stroke-dasharray: 5 3; stroke: #b05050 }\n"
        "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
  int top = Margin;
  for (size_t i = 0; i < drawings.size(); ++i) {
    const auto &[title, drawing] = drawings[i];
    const Layout &layout = layouts[i];
    os << "<text x=\"" << Margin << "\" y=\"" << top + 14 << "\" class=\"title\">" << escaped(title)
       << "</text>\n";
    top += TitleHeight;
    for (size_t node = 0; node < drawing.nodes.size(); ++node) {
      std::vector<unsigned> drawn;
      for (const auto &[child, role] : drawing.nodes[node].children) {
        bool hangs = layout.boxes[child].parent == int(node);
        printEdge(os, layout.boxes[node], layout.boxes[child], hangs, role, top);
      }
    }
    for (size_t node = 0; node < drawing.nodes.size(); ++node)
      printBox(os, drawing.nodes[node], layout.boxes[node], top);
    top += layout.height;
  }
  os << "</svg>\n";
}
