// C = A B + C of 512 x 512 x 512 in f16 with f32 accumulators, by the wmma interface: four warps a
// block, each with a tile of 16 x 32, A and B staged in shared memory.

#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

extern "C" __global__ void wmma_gemm(const half *a, const half *b, float *c, int n) {
  __shared__ half as[64][40], bs[32][40];
  int warp = threadIdx.x / 32, row = blockIdx.y * 64, col = blockIdx.x * 32;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc[2];
  for (int j = 0; j < 2; ++j)
    wmma::load_matrix_sync(acc[j], c + (row + warp * 16) * n + col + j * 16, n,
                           wmma::mem_row_major);
  for (int k = 0; k < n; k += 32) {
    for (int i = threadIdx.x; i < 64 * 32; i += blockDim.x)
      as[i / 32][i % 32] = a[(row + i / 32) * n + k + i % 32];
    for (int i = threadIdx.x; i < 32 * 32; i += blockDim.x)
      bs[i / 32][i % 32] = b[(k + i / 32) * n + col + i % 32];
    __syncthreads();
    for (int kk = 0; kk < 32; kk += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
      wmma::load_matrix_sync(left, &as[warp * 16][kk], 40);
      for (int j = 0; j < 2; ++j) {
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right;
        wmma::load_matrix_sync(right, &bs[kk][j * 16], 40);
        wmma::mma_sync(acc[j], left, right, acc[j]);
      }
    }
    __syncthreads();
  }
  for (int j = 0; j < 2; ++j)
    wmma::store_matrix_sync(c + (row + warp * 16) * n + col + j * 16, acc[j], n,
                            wmma::mem_row_major);
}
