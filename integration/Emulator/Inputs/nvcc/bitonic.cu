// Bitonic sort of 2^20 keys in global memory by one block: every stage of the network is there, and
// the block's barrier separates them.

extern "C" __global__ void bitonic(const unsigned *in, unsigned *keys, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    keys[i] = in[i];
  __syncthreads();
  for (int size = 2; size <= count; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2) {
      for (int t = threadIdx.x; t < count / 2; t += blockDim.x) {
        int i = 2 * t - (t & (stride - 1)), j = i + stride;
        unsigned a = keys[i], b = keys[j];
        bool descending = (i & size) != 0;
        if ((a > b) != descending) {
          keys[i] = b;
          keys[j] = a;
        }
      }
      __syncthreads();
    }
}
