// Inline assembly with blocks of its own, braces, negated predicates, immediates.
#include <cstdint>
__global__ void inline_ptx(uint32_t *out, const uint32_t *in, float *c) {
  uint32_t r = in[threadIdx.x], hi, lo, ok;
  uint64_t wide;
  asm volatile("{\n\t.reg .pred p, q;\n\tsetp.ne.u32 p|q, %1, 0;\n\t@!p mov.u32 %0, 0xffU;\n\t@q add.u32 %0, %1, -3;\n\t}"
               : "=r"(ok) : "r"(r));
  asm("{ .reg .u32 t; mov.b64 %0, {%1, %2}; }" : "=l"(wide) : "r"(r), "r"(ok));
  asm("mov.b64 {%0, %1}, %2;" : "=r"(lo), "=r"(hi) : "l"(wide));
  asm volatile("{ .reg .b32 %%r1; .reg .b32 t<4>; mov.b32 %%r1, %1; add.s32 t3, %%r1, 1; mov.b32 %0, t3; }" : "+r"(lo) : "r"(hi));
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(lo), "r"(hi), "r"(ok), "r"(r), "r"(lo), "r"(hi));
  asm volatile("lop3.b32 %0, %0, %1, %2, 0x96; prmt.b32 %0, %0, %1, 0x5410; shf.l.wrap.b32 %0, %0, %1, 7;" : "+r"(lo) : "r"(hi), "r"(ok));
  asm volatile("st.global.v2.b32 [%0], {%1, %2};" :: "l"(out + 2 * threadIdx.x), "r"(lo), "r"(ok) : "memory");
}
