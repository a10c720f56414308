"""Keeps an autotuner to configurations that return the same bits.

    pruner = BitEquivalent(Checker(), TritonCompiler(kernel, grid))
    kernel = triton.autotune(configs, key=["N"],
                             prune_configs_by={"early_config_prune": pruner.early_config_prune})(kernel)
    pruner.attach(kernel)    # with one survivor nothing is benchmarked

The reference is the first configuration, or what the caller hands in: a configuration or a Compiled.
After a run `pruner.classes` says each configuration's key or reason and `pruner.pruned` what was dropped.
A configuration that the checker does not know is equal to itself alone.
"""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Compiled:
    """A compiled kernel and how it is launched."""
    ptx: str
    grid: tuple = ()
    scalars: tuple = ()
    entry: str = None
    block: tuple = ()
    dynamic_shared: int = 0


class BitEquivalent:
    """Prunes configurations whose kernels do not return the reference's bits.

    `compile(config, named_args)` returns a Compiled; it runs once a configuration and call."""

    def __init__(self, checker, compile, reference=None):
        self.checker, self.compile, self.reference = checker, compile, reference
        self.classes, self.pruned = {}, []
        self._survivors = None

    def signature(self, compiled):
        return self.checker.signature(compiled.ptx, entry=compiled.entry, block=compiled.block, grid=compiled.grid,
                                      dynamic_shared=compiled.dynamic_shared, scalars=compiled.scalars)

    def early_config_prune(self, configs, named_args, **kwargs):
        """The hook of triton.autotune: the configurations of the reference's class, in their order."""
        arguments = {**named_args, **kwargs}
        reference = self.reference if self.reference is not None else configs[0]
        wanted = self.signature(reference if isinstance(reference, Compiled) else self.compile(reference, arguments))
        self.classes, self.pruned, kept = {}, [], []
        for config in configs:
            found = wanted if config is reference else self.signature(self.compile(config, arguments))
            self.classes[config] = found.key or f"unknown: {found.reason}"
            is_equal = config is reference or (found.is_known and found.key == wanted.key)
            (kept if is_equal else self.pruned).append(config)
        self._survivors = len(kept)
        return kept

    def attach(self, autotuner):
        """Makes an autotuner take a lone survivor as it is, without a benchmark."""
        bench = autotuner._bench

        def without_need(*args, config, **meta):
            return [0.0, 0.0, 0.0] if self._survivors == 1 else bench(*args, config=config, **meta)

        autotuner._bench = without_need
        return autotuner


def key_function(checker, **launch):
    """A function from a compiled kernel's texts (`asm`) to its key, None if there is none: what groups
    configurations where an autotuner sees the compiled kernels. `launch` goes to Checker.signature."""
    return lambda asm, metadata=None: checker.signature(asm["ptx"], **launch).key or None


def ir_predicate(checker, reference=None, **launch):
    """The predicate of autotuners that prune after compiling: (config, asm, metadata[, reference]) -> bool.
    The reference is a Compiled, an `asm`, or the first kernel that is asked for. `.classes` and `.pruned` say
    what was found."""
    key = key_function(checker, **launch)

    def predicate(config, asm, metadata=None, given=None):
        found = key(asm)
        predicate.classes[config] = found
        if predicate.wanted is predicate:
            anchor = given if given is not None else reference
            predicate.wanted = (found if anchor is None else key(anchor) if isinstance(anchor, dict)
                                else checker.signature(anchor.ptx, **launch).key or None)
            if anchor is None:
                return True
        keep = found is not None and found == predicate.wanted
        if not keep:
            predicate.pruned.append(config)
        return keep

    predicate.classes, predicate.pruned, predicate.wanted = {}, [], predicate
    return predicate


class TritonCompiler:
    """Compiles a @triton.jit function for a configuration, with no GPU needed.

    `grid` is what a launch would give: a tuple, or a function of the configuration's and the call's arguments.
    `capability` is that of the device the kernels are for. Arguments are the call's: tensors (anything with a
    `dtype`; `data_ptr()` says what it is aligned to), integers, floats."""

    def __init__(self, function, grid, capability=90):
        self.function, self.grid, self.capability = function, grid, capability

    def __call__(self, config, named_args):
        from triton import compile as triton_compile
        from triton.backends.compiler import GPUTarget
        from triton.compiler import ASTSource

        function = self.function
        while not hasattr(function, "params"):  # an autotuner or a heuristic around it
            function = function.fn
        meta = {**named_args, **config.kwargs}
        signature, constants, aligned, scalars = {}, {}, {}, []
        parameters = {p.name: p for p in function.params}
        for place, name in enumerate(function.arg_names):
            value = meta.get(name, parameters[name].default)
            if parameters[name].is_constexpr or value is None or (isinstance(value, int) and value == 1):
                signature[name], constants[name] = "constexpr", value
                continue
            signature[name], is_aligned = type_of(value)
            if is_aligned:
                aligned[(place,)] = [["tt.divisibility", 16]]
            scalars.append(None if signature[name][0] == "*" else value)
        options = {key: value for key, value in config.all_kwargs().items()
                   if key.startswith("num_") or key == "maxnreg" and value is not None}
        source = ASTSource(fn=function, signature=signature, constexprs=constants, attrs=aligned)
        compiled = triton_compile(source, target=GPUTarget("cuda", self.capability, 32), options=options)
        grid = self.grid(meta) if callable(self.grid) else self.grid
        return Compiled(compiled.asm["ptx"], tuple(grid), tuple(scalars), compiled.metadata.name,
                        (32 * compiled.metadata.num_warps,), compiled.metadata.shared)


#: Triton's names of element types.
ELEMENT_TYPES = {"float16": "fp16", "bfloat16": "bf16", "float32": "fp32", "float64": "fp64", "int8": "i8",
                 "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "u8", "bool": "i1",
                 "float8_e4m3fn": "fp8e4nv", "float8_e5m2": "fp8e5"}


def type_of(value):
    """Triton's type of an argument, and whether it is a multiple of 16."""
    if hasattr(value, "dtype"):
        name = str(value.dtype).rsplit(".", 1)[-1]
        if name not in ELEMENT_TYPES:
            raise ValueError(f"expected an element type that Triton has, found {name}")
        address = value.data_ptr() if hasattr(value, "data_ptr") else 0
        return "*" + ELEMENT_TYPES[name], address % 16 == 0
    if isinstance(value, bool):
        return "i1", False
    if isinstance(value, int):
        return ("i32" if -2 ** 31 <= value < 2 ** 31 else "i64"), value % 16 == 0
    if isinstance(value, float):
        return "fp32", False
    raise ValueError(f"expected a tensor or a number, found {type(value).__name__}")
