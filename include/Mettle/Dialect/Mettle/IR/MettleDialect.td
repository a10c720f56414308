// The neutral SIMT dialect itself. Its operations stand in one .td a family beside this file.

#ifndef METTLE_DIALECT_METTLE_IR_METTLEDIALECT_TD
#define METTLE_DIALECT_METTLE_IR_METTLEDIALECT_TD

include "mlir/IR/DialectBase.td"

def Mettle_Dialect : Dialect {
  let name = "mettle";
  let summary = "target-neutral SIMT kernels: ids, memory spaces, barriers";
  let description = [{
    What every GPU kernel has and no target owns: launch entries, work-item and
    workgroup ids, typed pointers into memory spaces, and barriers. Arithmetic is
    upstream's `arith` and `math`, used strictly (`mettle-verify-strict-float`);
    control flow is `scf`; helper functions are `func.func`.

    A collective reads, and a barrier reads and writes, the `Convergence` resource:
    no upstream pass that respects memory effects merges, hoists or sinks one
    across control flow.

    On a loop `mettle.unroll = 4 : i64` asks that four rounds become one, and 1 that the
    loop be left as it is. It changes how long a kernel takes and nothing else.

    Constraints:
    * `unroll-c1`: it stands on `scf.for` or `scf.while`;
    * `unroll-c2`: it is an i64 from 1 to 256.
  }];
  let cppNamespace = "::mettle";
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let extraClassDeclaration = [{
    /// Registers the operations of one family; each family's source calls it.
    template <typename... Ops>
    void addFamily() {
      addOperations<Ops...>();
    }

  private:
    void registerTypes();

  public:
  }];
}

#endif // METTLE_DIALECT_METTLE_IR_METTLEDIALECT_TD
