//===- RandomProgram.cpp - programs with jumps and what they compute -===//
//
// The generator, the printer and the direct execution of random programs.
//
//===----------------------------------------------------------------------===//

#include "RandomProgram.h"

#include <random>
#include <utility>
#include <vector>

using namespace mettle::frontend;

namespace {
constexpr unsigned variableCount = 5;

/// An expression over the variables; a call only where the program allows one.
struct Node {
  enum Kind { Constant, Variable, Load, Unary, Binary, Call } kind = Constant;
  int32_t value = 0;
  std::string op;
  std::vector<Node> operands;
};

struct Statement {
  enum Kind {
    Assign,
    Compound,
    Store,
    If,
    While,
    For,
    Break,
    Continue,
    Return,
    Block,
    Fresh
  } kind = Assign;
  unsigned target = 0;
  unsigned loop = 0;
  bool labelled = false, hasElse = false;
  std::string op;
  Node value;
  std::vector<Statement> body, otherwise;
};

struct Function {
  bool isHelper = false;
  std::vector<Statement> body;
  Node result;
};

/// How a statement ended: what to do next, and for a jump of which loop.
struct Outcome {
  enum Kind { Next, Break, Continue, Return } kind = Next;
  unsigned loop = 0;
  int32_t value = 0;
};

class Generator {
public:
  /// Every sixteenth program is long: more early ends than the frontend nests.
  explicit Generator(uint64_t seed) : random(seed), isLong(seed % 16 == 15) {}

  Function function(bool isHelper) {
    inHelper = isHelper;
    Function made;
    made.isHelper = isHelper;
    made.body = list(3, isLong ? 60 : 0);
    made.result = expression(2);
    return made;
  }

private:
  unsigned below(unsigned n) { return random() % n; }

  Node expression(unsigned depth) {
    Node made;
    switch (depth ? below(8) : below(2)) {
    case 0:
      made.value = static_cast<int32_t>(below(12)) - 3;
      return made;
    case 1:
      made.kind = Node::Variable;
      made.value = below(variableCount);
      return made;
    case 2:
      made.kind = Node::Unary;
      made.op = std::string(1, "-!~"[below(3)]);
      made.operands = {expression(depth - 1)};
      return made;
    case 3:
      if (!inHelper && below(3) == 0) {
        made.kind = Node::Call;
        made.operands = {expression(depth - 1), expression(depth - 1)};
        return made;
      }
      made.kind = Node::Load;
      made.value = below(RandomProgram::outputs);
      return made;
    default: {
      static const char *operators[] = {"+", "-",  "*",  "/",  "%", "<<", ">>", "<",  "<=",
                                        ">", ">=", "==", "!=", "&", "|",  "^",  "&&", "||"};
      made.kind = Node::Binary;
      made.op = operators[below(18)];
      made.operands = {expression(depth - 1), expression(depth - 1)};
      return made;
    }
    }
  }

  std::vector<Statement> list(unsigned depth, unsigned least = 0) {
    std::vector<Statement> made;
    for (unsigned i = 0, count = least + 1 + below(4); i < count; ++i) {
      made.push_back(least ? compound(depth) : statement(depth));
      Statement::Kind kind = made.back().kind;
      // Seldom is something left behind a jump.
      if ((kind == Statement::Break || kind == Statement::Continue || kind == Statement::Return) &&
          below(8))
        break;
    }
    return made;
  }

  /// A statement that is no jump itself; most may jump somewhere inside.
  Statement compound(unsigned depth) {
    while (true) {
      Statement made = statement(depth);
      if (made.kind != Statement::Break && made.kind != Statement::Continue &&
          made.kind != Statement::Return)
        return made;
    }
  }

  Statement jump() {
    Statement made;
    made.kind = Statement::Return;
    if (inHelper)
      made.value = expression(1);
    if (loops.empty() || below(4) == 0)
      return made;
    made.kind = below(2) ? Statement::Break : Statement::Continue;
    made.labelled = below(3) == 0;
    made.loop = made.labelled ? loops[below(loops.size())] : loops.back();
    return made;
  }

  Statement statement(unsigned depth) {
    Statement made;
    unsigned choice = below(depth ? 12 : 6);
    if (choice < 3) {
      made.kind = choice == 2 ? Statement::Compound : Statement::Assign;
      static const char *operators[] = {"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"};
      made.op = operators[below(10)];
      made.target = below(variableCount);
      made.value = expression(2);
      return made;
    }
    if (choice == 3) {
      made.kind = Statement::Store;
      made.target = below(RandomProgram::outputs);
      made.value = expression(2);
      return made;
    }
    if (choice < 6)
      return jump();
    if (choice < 9) {
      made.kind = Statement::If;
      made.value = expression(2);
      made.body = list(depth - 1);
      made.hasElse = below(2);
      if (made.hasElse)
        made.otherwise = list(depth - 1);
      return made;
    }
    if (choice == 11) {
      made.kind = below(2) ? Statement::Block : Statement::Fresh;
      made.target = below(variableCount);
      made.value = expression(1);
      made.body = list(depth - 1);
      return made;
    }
    made.kind = choice == 9 ? Statement::While : Statement::For;
    made.loop = loopCount++;
    made.target = 2 + below(3);
    made.value = expression(2);
    loops.push_back(made.loop);
    made.body = list(depth - 1, isLong && depth == 3 && below(4) == 0 ? 40 : 0);
    loops.pop_back();
    return made;
  }

  std::mt19937_64 random;
  bool isLong;
  bool inHelper = false;
  unsigned loopCount = 0;
  std::vector<unsigned> loops;
};

//===----------------------------------------------------------------------===//
// As source
//===----------------------------------------------------------------------===//

std::string print(const Node &node) {
  switch (node.kind) {
  case Node::Constant:
    return "(" + std::to_string(node.value) + ")";
  case Node::Variable:
    return "v" + std::to_string(node.value);
  case Node::Load:
    return "out[" + std::to_string(node.value) + "]";
  case Node::Unary:
    return "(int32)(" + node.op + print(node.operands[0]) + ")";
  case Node::Binary:
    return "(int32)(" + print(node.operands[0]) + " " + node.op + " " + print(node.operands[1]) +
           ")";
  case Node::Call:
    return "helper(out, " + print(node.operands[0]) + ", " + print(node.operands[1]) + ")";
  }
  return "";
}

std::string print(const std::vector<Statement> &list, bool returnsValue);

std::string print(const Statement &statement, bool returnsValue) {
  std::string variable = "v" + std::to_string(statement.target), value = print(statement.value);
  std::string loop = std::to_string(statement.loop),
              label = statement.labelled ? " loop" + loop : "";
  std::string body = print(statement.body, returnsValue);
  switch (statement.kind) {
  case Statement::Assign:
    return variable + " = " + value + ";\n";
  case Statement::Compound:
    return variable + " " + statement.op + "= " + value + ";\n";
  case Statement::Store:
    return "out[" + std::to_string(statement.target) + "] = " + value + ";\n";
  case Statement::If:
    return "if (" + value + ") {\n" + body + "}" +
           (statement.hasElse ? " else {\n" + print(statement.otherwise, returnsValue) + "}\n"
                              : "\n");
  case Statement::While:
    // The counter is set anew for each run of the loop, and ends it.
    return "{ var n" + loop + ": int32 = 0;\nloop" + loop + ": while (n" + loop + " < " +
           std::to_string(statement.target) + " && " + value + ") {\nn" + loop + " += 1;\n" + body +
           "} }\n";
  case Statement::For:
    return "loop" + loop + ": for n" + loop + " in 0.." + std::to_string(statement.target) +
           " {\n" + body + "}\n";
  case Statement::Break:
    return "break" + label + ";\n";
  case Statement::Continue:
    return "continue" + label + ";\n";
  case Statement::Return:
    return returnsValue ? "return " + value + ";\n" : "return;\n";
  case Statement::Block:
    return "{\n" + body + "}\n";
  case Statement::Fresh:
    // Hides a variable for the length of a block.
    return "{ var " + variable + ": int32 = " + value + ";\n" + body + "}\n";
  }
  return "";
}

std::string print(const std::vector<Statement> &list, bool returnsValue) {
  std::string text;
  for (const Statement &statement : list)
    text += print(statement, returnsValue);
  return text;
}

//===----------------------------------------------------------------------===//
// Executed
//===----------------------------------------------------------------------===//

class Machine {
public:
  Machine(RandomProgram::Outputs &out, const Function *helper) : out(out), helper(helper) {}

  int32_t call(const Function &function, int32_t a, int32_t b) {
    std::array<int32_t, variableCount> saved = variables;
    variables = {a, b, 1, 2, 3};
    Outcome outcome = run(function.body);
    int32_t value = outcome.kind == Outcome::Return ? outcome.value : evaluate(function.result);
    variables = saved;
    return value;
  }

  int32_t evaluate(const Node &node);
  Outcome run(const std::vector<Statement> &list);

  std::array<int32_t, variableCount> variables{};

private:
  Outcome run(const Statement &statement);
  Outcome runLoop(const Statement &statement);

  RandomProgram::Outputs &out;
  const Function *helper;
};

int32_t apply(const std::string &op, int32_t a, int32_t b) {
  auto wrap = [](uint32_t value) { return static_cast<int32_t>(value); };
  uint32_t ua = a, ub = b;
  switch (op[0]) {
  case '+':
    return wrap(ua + ub);
  case '-':
    return wrap(ua - ub);
  case '*':
    return wrap(ua * ub);
  case '/':
    return b == 0 ? -1 : b == -1 ? wrap(0 - ua) : a / b;
  case '%':
    return b == 0 ? a : b == -1 ? 0 : a % b;
  case '^':
    return a ^ b;
  case '=':
    return a == b;
  case '!':
    return a != b;
  case '&':
    return op == "&" ? a & b : a && b;
  case '|':
    return op == "|" ? a | b : a || b;
  case '<':
    return op == "<<" ? wrap(ua << (ub & 31)) : op == "<=" ? a <= b : a < b;
  default:
    return op == ">>" ? a >> (ub & 31) : op == ">=" ? a >= b : a > b;
  }
}

int32_t Machine::evaluate(const Node &node) {
  switch (node.kind) {
  case Node::Constant:
    return node.value;
  case Node::Variable:
    return variables[node.value];
  case Node::Load:
    return out[node.value];
  case Node::Unary: {
    int32_t value = evaluate(node.operands[0]);
    return node.op == "-" ? apply("-", 0, value) : node.op == "!" ? !value : ~value;
  }
  case Node::Binary: {
    int32_t a = evaluate(node.operands[0]);
    if ((node.op == "&&" && !a) || (node.op == "||" && a))
      return node.op == "||";
    return apply(node.op, a, evaluate(node.operands[1]));
  }
  case Node::Call: {
    int32_t a = evaluate(node.operands[0]);
    int32_t b = evaluate(node.operands[1]);
    return call(*helper, a, b);
  }
  }
  return 0;
}

Outcome Machine::runLoop(const Statement &statement) {
  for (unsigned round = 0; round < statement.target; ++round) {
    if (statement.kind == Statement::While && !evaluate(statement.value))
      break;
    Outcome outcome = run(statement.body);
    bool own = outcome.loop == statement.loop;
    if (outcome.kind == Outcome::Break && own)
      break;
    if (outcome.kind != Outcome::Next && !(outcome.kind == Outcome::Continue && own))
      return outcome;
  }
  return {};
}

Outcome Machine::run(const Statement &statement) {
  switch (statement.kind) {
  case Statement::Assign:
    variables[statement.target] = evaluate(statement.value);
    return {};
  case Statement::Compound: {
    int32_t old = variables[statement.target];
    variables[statement.target] = apply(statement.op, old, evaluate(statement.value));
    return {};
  }
  case Statement::Store:
    out[statement.target] = evaluate(statement.value);
    return {};
  case Statement::If:
    return run(evaluate(statement.value) ? statement.body : statement.otherwise);
  case Statement::While:
  case Statement::For:
    return runLoop(statement);
  case Statement::Break:
    return {Outcome::Break, statement.loop, 0};
  case Statement::Continue:
    return {Outcome::Continue, statement.loop, 0};
  case Statement::Return:
    return {Outcome::Return, 0, evaluate(statement.value)};
  case Statement::Block:
    return run(statement.body);
  case Statement::Fresh: {
    int32_t value = evaluate(statement.value);
    int32_t hidden = std::exchange(variables[statement.target], value);
    Outcome outcome = run(statement.body);
    variables[statement.target] = hidden;
    return outcome;
  }
  }
  return {};
}

Outcome Machine::run(const std::vector<Statement> &list) {
  for (const Statement &statement : list)
    if (Outcome outcome = run(statement); outcome.kind != Outcome::Next)
      return outcome;
  return {};
}
} // namespace

struct RandomProgram::Implementation {
  Function helper, kernel;
};

RandomProgram::RandomProgram(uint64_t seed) : implementation(std::make_unique<Implementation>()) {
  Generator generator(seed);
  implementation->helper = generator.function(/*isHelper=*/true);
  implementation->kernel = generator.function(/*isHelper=*/false);
}

RandomProgram::~RandomProgram() = default;

std::string RandomProgram::text() const {
  std::string variables =
      "var v0: int32 = a;\nvar v1: int32 = b;\nvar v2: int32 = 1;\nvar v3: int32 = 2;\nvar v4: "
      "int32 = 3;\n";
  std::string last = "out[0] = out[0] ^ " + print(implementation->kernel.result) + ";\n";
  for (unsigned i = 0; i < variableCount; ++i)
    last += "out[" + std::to_string(i + 1) + "] = v" + std::to_string(i) + ";\n";
  return "fn helper(out: int32*, a: int32, b: int32) -> int32 {\n" + variables +
         print(implementation->helper.body, true) + "return " +
         print(implementation->helper.result) +
         ";\n}\nkernel k(out: int32*, a: int32, b: int32) {\n" + variables +
         print(implementation->kernel.body, false) + last + "}\n";
}

RandomProgram::Outputs RandomProgram::run(int32_t a, int32_t b) const {
  Outputs out{};
  Machine machine(out, &implementation->helper);
  machine.variables = {a, b, 1, 2, 3};
  if (machine.run(implementation->kernel.body).kind == Outcome::Return)
    return out;
  // The left operand is read before the right one calls.
  int32_t before = out[0];
  out[0] = before ^ machine.evaluate(implementation->kernel.result);
  for (unsigned i = 0; i < variableCount; ++i)
    out[i + 1] = machine.variables[i];
  return out;
}
