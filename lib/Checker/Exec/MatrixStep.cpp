//===- MatrixStep.cpp - Matrix instructions of the symbolic thread --------===//
//
// A matrix instruction becomes, for each register of its result, a chain of steps on the
// accumulator. What a step adds is a term that names the instruction, the group of products and the
// element; the evaluator finds the factors in the other lanes or in shared memory. The arithmetic
// is that of the tables of Numerics, and an instruction without a confirmed row is not modelled.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "Mettle/Numerics/MatrixModel.h"
#include "llvm/ADT/STLExtras.h"

using namespace mettle::checker;
using namespace mettle::assembly::ptx;
using namespace mettle::numerics;

CoordinateBit mettle::checker::sourceOf(const FragmentLayout &layout, bool isRow, unsigned bit) {
  unsigned weight = 1u << bit;
  auto gives = [&](FragmentPosition step) { return (isRow ? step.row : step.col) == weight; };
  for (uint8_t i = 0; i < layout.laneStep.size(); ++i)
    if (gives(layout.laneStep[i]))
      return {CoordinateBit::Lane, i};
  for (uint8_t i = 0; i < layout.registerStep.size(); ++i)
    if (gives(layout.registerStep[i]))
      return {CoordinateBit::Register, i};
  for (uint8_t i = 0; i < layout.elementStep.size(); ++i)
    if (gives(layout.elementStep[i]))
      return {CoordinateBit::Place, i};
  return {};
}

/// The step of an instruction's arithmetic: a name that instructions of one arithmetic share.
static std::optional<std::string> stepName(const MatrixRow &row) {
  const ArithmeticClass &arithmetic = row.arithmetic;
  if (arithmetic.kind != ArithmeticClass::Fused || arithmetic.isScaled() || row.c != row.d)
    return std::nullopt;
  // Products that are zero take no part, so how many a step could take says nothing about it.
  ArithmeticClass any = arithmetic;
  any.group = 0;
  return "dot." + name(row.a).str() + "." + name(row.b).str() + "." + any.text();
}

/// Finds the row and fills in what it decides; false where it cannot be modelled, with a reason.
static bool findArithmetic(const Module &module, llvm::StringRef text, Terms &terms,
                           llvm::ArrayRef<std::string> trusted, Program &program, MatrixUse &use,
                           std::string &reason) {
  std::string arch = "sm_" + std::to_string(module.target.number);
  llvm::Expected<const MatrixRow *> row = findMatrixRow(arch, text);
  if (!row) {
    reason = llvm::toString(row.takeError());
    return false;
  }
  std::optional<std::string> step = stepName(**row);
  if (!step) {
    reason = text.str() + " is not modelled";
    return false;
  }
  std::string instruction = (*row)->instruction();
  if (!(*row)->confirmed && llvm::is_contained(trusted, instruction)) {
    if (!llvm::is_contained(program.assumed, instruction))
      program.assumed.push_back(instruction);
  } else if (!(*row)->confirmed) {
    reason = "no device of " + arch + " has confirmed what " + instruction + " returns";
    return false;
  }
  use.step = terms.name(*step);
  use.depth = (*row)->k;
  use.groupSize = std::min<unsigned>((*row)->arithmetic.group, (*row)->k);
  use.factorsCommute = (*row)->a == (*row)->b;
  return use.groupSize != 0 && (*row)->k % use.groupSize == 0;
}

void Machine::writeMatrix(MatrixUse &&use, const Operand &target, llvm::ArrayRef<TermId> before,
                          unsigned k) {
  auto number = uint64_t(program.matrices.size());
  const FragmentLayout result = use.result;
  unsigned groups = k / use.groupSize, bytes = result.elementBits / 8;
  Term added;
  added.kind = Term::Group;
  added.bytes = uint8_t(bytes);
  added.instruction = at;
  added.bits = (uint64_t(1) << NumThreadBits) - 1;
  for (uint32_t loop = currentLoop; loop != ~0u; loop = program.loops[loop].parent)
    added.loops |= uint64_t(1) << loop;
  for (const MatrixFactor *factor : {&use.a, &use.b})
    added.args.append(factor->registers.begin(), factor->registers.end());
  program.matrices.push_back(std::move(use));
  uint32_t step = program.matrices.back().step;
  llvm::ArrayRef<Operand> targets = module.elements(target);
  for (unsigned reg = 0; reg < targets.size(); ++reg) {
    llvm::SmallVector<TermId, 2> places;
    for (unsigned place = 0; place < result.perRegister; ++place) {
      TermId value = terms.extract(before[reg], place * bytes, bytes);
      for (unsigned group = 0; group < groups; ++group) {
        Term here = added;
        here.data = number << 32 | group << 16 | (reg * result.perRegister + place);
        value = terms.op(step, bytes, {value, terms.intern(std::move(here))}, at);
      }
      places.push_back(value);
    }
    write(targets[reg], data(terms.concat(places)));
  }
}

void Machine::matrixOfWarp() {
  const Operand &d = op(0), &a = op(1), &b = op(2), &c = op(3);
  if (instruction->operandCount != 4 || path != Terms::truePred || guard != Terms::truePred ||
      facts.block[0] < 32)
    return unsupported();
  MatrixUse use;
  use.instruction = at;
  std::string reason;
  if (!findArithmetic(module, text(*mnemonic), terms, facts.trusted, program, use, reason))
    return unsupported(reason.c_str());
  auto [m, n, k] = mnemonic->shape;
  unsigned bits = typeBits(mnemonic->types[1]);
  if (mnemonic->types[1] == Type::TF32)
    bits = 32;
  std::optional<FragmentLayout> layoutA = mmaFragment(FragmentOperand::A, m, n, k, bits),
                                layoutB = mmaFragment(FragmentOperand::B, m, n, k, bits),
                                layoutD = mmaFragment(FragmentOperand::Accumulator, m, n, k,
                                                      typeBits(mnemonic->types[0]));
  if (!layoutA || !layoutB || !layoutD)
    return unsupported();
  auto registers = [&](const Operand &operand) {
    std::vector<TermId> values;
    for (const Operand &element :
         operand.is(OperandKind::Vector) ? module.elements(operand) : llvm::ArrayRef(operand))
      values.push_back(termOf(element, 4));
    return values;
  };
  use.a.layout = *layoutA;
  use.a.registers = registers(a);
  use.b.layout = *layoutB;
  use.b.linesAreRows = false;
  use.b.registers = registers(b);
  use.result = *layoutD;
  std::vector<TermId> before = registers(c);
  if (!d.is(OperandKind::Vector) || module.elements(d).size() != layoutD->registers ||
      before.size() != layoutD->registers || use.a.registers.size() != layoutA->registers ||
      use.b.registers.size() != layoutB->registers)
    return unsupported();
  writeMatrix(std::move(use), d, before, k);
}

/// A descriptor as the constant fields and the start, which may be a form.
static bool readDescriptor(Forms &forms, FormId descriptor, MatrixFactor &factor) {
  auto constant = uint64_t(forms.constantOf(descriptor));
  uint64_t low = constant & 0x3fff;
  FormId start = forms.addConstant(descriptor, -int64_t(constant - low));
  if (forms.lo(start) < 0 || forms.hi(start) >= 1 << 14)
    return false;
  factor.descriptor = MatrixDescriptor::decode(constant - low);
  factor.start = forms.scale(start, 16);
  return factor.descriptor.baseOffset == 0;
}

/// The event of reading a whole factor: every chunk of it, by variable bits.
void Machine::readSharedFactor(MatrixFactor &factor, unsigned lines, unsigned chunkLines,
                               unsigned depth) {
  unsigned bit = FirstBoundBit;
  FormId line = 0, inner = 0;
  for (unsigned weight = chunkLines; weight < lines; weight *= 2)
    line = forms.add(line, forms.parity(uint64_t(1) << bit++, false, weight));
  unsigned chunk = factor.mnMajor ? 1 : 16 / factor.elementBytes;
  for (unsigned weight = chunk; weight < depth; weight *= 2)
    inner = forms.add(inner, forms.parity(uint64_t(1) << bit++, false, weight));
  factor.event = uint32_t(program.events.size());
  Event &e = event(Event::SharedLoad);
  e.bytes = 16;
  e.over = Event::MatrixGroup;
  e.address = sharedAddress(forms, factor, line, inner);
}

FormId mettle::checker::sharedAddress(Forms &forms, const MatrixFactor &factor, FormId line,
                                      FormId inner) {
  const MatrixDescriptor &d = factor.descriptor;
  unsigned row = 16u << unsigned(d.swizzle);
  bool isPlain = d.swizzle == Swizzle::None;
  auto quotient = [&](FormId f, unsigned by) {
    return forms.apply(IntOp::ShrU, 32, {f, forms.constant(__builtin_ctz(by))});
  };
  auto remainder = [&](FormId f, unsigned by) {
    return forms.apply(IntOp::And, 32, {f, forms.constant(by - 1)});
  };
  FormId address = factor.start;
  auto add = [&](FormId f, int64_t by) { address = forms.add(address, forms.scale(f, by)); };
  if (!factor.mnMajor) {
    FormId byte = forms.scale(inner, factor.elementBytes);
    add(quotient(line, 8), d.strideOffset);
    add(remainder(line, 8), row);
    if (isPlain) {
      add(quotient(byte, 16), d.leadingOffset);
      add(remainder(byte, 16), 1);
    } else {
      add(byte, 1);
    }
  } else {
    FormId byte = forms.scale(line, factor.elementBytes);
    add(quotient(byte, row), isPlain ? d.strideOffset : d.leadingOffset);
    add(remainder(byte, row), 1);
    add(quotient(inner, 8), isPlain ? d.leadingOffset : d.strideOffset);
    add(remainder(inner, 8), row);
  }
  if (isPlain)
    return address;
  FormId mask = forms.constant(((1 << unsigned(d.swizzle)) - 1) << 4);
  FormId moved = forms.apply(IntOp::And, 32,
                             {forms.apply(IntOp::ShrU, 32, {address, forms.constant(3)}), mask});
  return forms.apply(IntOp::Xor, 32, {address, moved});
}

void Machine::matrixOfWarpgroup() {
  if (path != Terms::truePred || guard != Terms::truePred || facts.block[0] < 128)
    return fail("wgmma under a condition");
  MatrixUse use;
  use.instruction = at;
  std::string reason;
  if (!findArithmetic(module, text(*mnemonic), terms, facts.trusted, program, use, reason))
    return fail(reason);
  auto [m, n, k] = mnemonic->shape;
  unsigned bits = mnemonic->types[1] == Type::TF32 ? 32 : typeBits(mnemonic->types[1]);
  bool fromRegisters = op(1).is(OperandKind::Vector);
  // d, a, b, scale-d, scales of a and b, then what is transposed of what is in shared memory.
  auto flag = [&](unsigned i) -> int64_t {
    if (i >= instruction->operandCount)
      return 0;
    return op(i).is(OperandKind::Integer) ? int64_t(op(i).bits) : -2;
  };
  if (instruction->operandCount < 6 || flag(4) != 1 || flag(5) != 1)
    return fail("a wgmma that negates a factor");
  int64_t transposeA = fromRegisters ? 0 : flag(6), transposeB = flag(fromRegisters ? 6 : 7);
  if ((transposeA & ~1) || (transposeB & ~1))
    return fail("a wgmma that the checker does not model");
  std::optional<FragmentLayout> layoutD =
      wgmmaFragment(FragmentOperand::Accumulator, n, typeBits(mnemonic->types[0]));
  if (!layoutD || !op(0).is(OperandKind::Vector) ||
      module.elements(op(0)).size() != layoutD->registers)
    return fail("a wgmma that the checker does not model");
  use.result = *layoutD;
  use.a.elementBytes = use.b.elementBytes = bits / 8;
  llvm::SmallVector<RegisterId, 16> busy;
  if (fromRegisters) {
    std::optional<FragmentLayout> layoutA = wgmmaFragment(FragmentOperand::A, n, bits);
    if (!layoutA || module.elements(op(1)).size() != layoutA->registers)
      return fail("a wgmma that the checker does not model");
    use.a.layout = *layoutA;
    for (const Operand &element : module.elements(op(1))) {
      use.a.registers.push_back(termOf(element, 4));
      if (element.is(OperandKind::Register))
        busy.push_back(element.reg());
    }
  }
  auto shared = [&](MatrixFactor &factor, const Operand &operand, unsigned lines, bool transposed) {
    factor.isShared = true;
    factor.mnMajor = transposed;
    Value descriptor = read(operand);
    if (descriptor.kind != Value::Integer || !readDescriptor(forms, descriptor.id, factor))
      return false;
    readSharedFactor(factor, lines, transposed ? 16 / factor.elementBytes : 1, k);
    return true;
  };
  if ((!fromRegisters && !shared(use.a, op(1), m, transposeA)) ||
      !shared(use.b, op(2), n, transposeB))
    return isTrial ? unsupportedResult("a wgmma descriptor that the checker does not follow")
                   : fail("a wgmma descriptor that the checker does not follow");
  std::vector<TermId> before;
  PredId keeps = condition(op(3));
  for (const Operand &element : module.elements(op(0))) {
    TermId value = keeps == Terms::falsePred ? terms.constant(0, 4) : termOf(element, 4);
    before.push_back(terms.select(keeps, value, terms.constant(0, 4)));
    if (element.is(OperandKind::Register))
      busy.push_back(element.reg());
  }
  writeMatrix(std::move(use), op(0), before, k);
  issued.append(busy.begin(), busy.end());
}

bool Machine::stepMatrix() {
  switch (instruction->opcode) {
  case Opcode::Mma:
    matrixOfWarp();
    return true;
  case Opcode::WgmmaMmaAsync:
    matrixOfWarpgroup();
    return true;
  case Opcode::WgmmaFence:
    return true;
  case Opcode::WgmmaCommitGroup:
    event(Event::MatrixCommit);
    inFlight.push_back(std::move(issued));
    issued.clear();
    return true;
  case Opcode::WgmmaWaitGroup: {
    event(Event::MatrixWait).count = uint32_t(op(0).bits);
    size_t left = std::min<size_t>(op(0).bits, inFlight.size());
    inFlight.erase(inFlight.begin(), inFlight.end() - left);
    return true;
  }
  default:
    return false;
  }
}

/// The registers of a wgmma belong to it until it has been waited for.
bool Machine::touchesBusyRegister() const {
  if (instruction->opcode == Opcode::WgmmaMmaAsync || (issued.empty() && inFlight.empty()))
    return false;
  bool touches = false;
  module.forEachRegister(*instruction, [&](RegisterId id, bool, bool) {
    touches |= llvm::is_contained(issued, id);
    for (const auto &group : inFlight)
      touches |= llvm::is_contained(group, id);
  });
  return touches;
}
