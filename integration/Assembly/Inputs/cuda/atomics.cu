// Atomics of every width, in global and shared memory, with scopes and fences.
__global__ void atomics(int *i, unsigned long long *l, float *f, double *d) {
  __shared__ int s;
  if (!threadIdx.x)
    s = 0;
  __syncthreads();
  atomicAdd(&s, 1);
  atomicMax(i, s);
  atomicCAS(i + 1, 3, 4);
  atomicExch(l, 5ull);
  atomicAdd(l + 1, 1ull);
  atomicAdd(f, 1.5f);
  atomicAdd_system(d, 2.5);
  atomicAnd_block(i + 2, 0xff);
  atomicInc((unsigned *)i + 3, 17);
  __threadfence();
  __threadfence_block();
  __threadfence_system();
  i[4] = atomicSub(i + 5, s);
}
