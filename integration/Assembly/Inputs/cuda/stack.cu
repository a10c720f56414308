// alloca and a dynamically indexed local array.
__device__ __noinline__ int fill(int *p, int n) {
  for (int i = 0; i < n; ++i)
    p[i] = i * i;
  return p[n / 2];
}
__global__ void stack(int *out, int n) {
  int *p = (int *)alloca(n * sizeof(int));
  int fixed[16];
  fixed[n & 15] = fill(p, n);
  out[threadIdx.x] = fixed[(n + threadIdx.x) & 15];
}
