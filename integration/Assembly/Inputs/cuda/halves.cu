// half, bfloat16 and their vectors.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void halves(__half *h, __half2 *h2, __nv_bfloat16 *b, __nv_bfloat162 *b2, float *f) {
  int i = threadIdx.x;
  h[i] = __hfma(h[i], h[i + 1], __float2half_rn(f[i])) + hsqrt(h[i]);
  h2[i] = __hmul2(h2[i], __hmax2(h2[i + 1], h2[i + 2]));
  b[i] = __hadd(b[i], __float2bfloat16(f[i + 1]));
  b2[i] = __hfma2(b2[i], b2[i], b2[i]);
  f[i] = __half2float(h[i]) + __bfloat162float(b[i]) + (__hisnan(h[i]) ? 1 : 0) + (float)__half2int_rz(h[i]);
  atomicAdd(h2, h2[i]);
}
