// printf and assert: strings as byte arrays, a local depot, calls of the system's functions.
#include <cassert>
#include <cstdio>
__global__ void say(const int *x, double y) {
  assert(x[threadIdx.x] >= 0);
  if (x[threadIdx.x] > 9)
    printf("thread %d of %u: %f\n\t\"%s\"", threadIdx.x, blockDim.x, y, "quoted");
}
