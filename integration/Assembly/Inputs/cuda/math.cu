// Mathematical functions with slow paths: loops, tables in constant memory, 64-bit arithmetic.
__global__ void math(double *d, float *f) {
  int i = threadIdx.x;
  f[i] = sinf(f[i]) + cosf(f[i + 1]) * powf(f[i], f[i + 2]) + expf(f[i]) + __sinf(f[i]) + rsqrtf(f[i]) + fmodf(f[i], 3.f);
  d[i] = sin(d[i]) + exp(d[i + 1]) / sqrt(d[i + 2]) + erf(d[i]) + lgamma(d[i + 3]) + tgammaf(f[i]) + __fma_rz(d[i], 2, 3);
}
