// Indirect calls through a table of functions, with prototypes; addresses as initial values.
__device__ __noinline__ int twice(int x) { return 2 * x; }
__device__ __noinline__ int half_of(int x) { return x / 2; }
__device__ int (*const volatile table[2])(int) = {twice, half_of};
__device__ int data[4] = {1, 2, 3, 4};
__device__ int *volatile cell = data + 2;
__global__ void pointers(int *out, int i) { out[0] = table[i & 1](i) + *cell; }
