// The dialect of PTX, the last IR of that target.

#ifndef METTLE_DIALECT_PTX_IR_PTXDIALECT_TD
#define METTLE_DIALECT_PTX_IR_PTXDIALECT_TD

include "mlir/IR/DialectBase.td"

def PTX_Dialect : Dialect {
  let name = "ptx";
  let summary = "PTX instructions over typed virtual registers";
  let description = [{
    One operation, `ptx.inst`, stands for every instruction that has a record; what
    has another shape (functions, branches, calls, storage) has operations of its
    own. Values are virtual registers; the emitter prints what stands here and
    decides nothing but register names and the order of block argument copies.
  }];
  let cppNamespace = "::mettle::ptx";
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasRegionArgAttrVerify = 1;
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

#endif // METTLE_DIALECT_PTX_IR_PTXDIALECT_TD
