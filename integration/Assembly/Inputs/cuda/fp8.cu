// Conversions of the eight-bit formats.
#include <cuda_fp8.h>
__global__ void fp8(__nv_fp8x2_storage_t *out, const float2 *in, float2 *back, __nv_fp8_e5m2 *e5) {
  int i = threadIdx.x;
  out[i] = __nv_cvt_float2_to_fp8x2(in[i], __NV_SATFINITE, __NV_E4M3);
  __half2_raw h = __nv_cvt_fp8x2_to_halfraw2(out[i], __NV_E4M3);
  back[i] = make_float2(__half2float(*(__half *)&h.x), __half2float(*(__half *)&h.y));
  e5[i] = __nv_fp8_e5m2(in[i].x);
}
