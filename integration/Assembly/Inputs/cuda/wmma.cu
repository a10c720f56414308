// Tensor cores through the wmma interface.
#include <mma.h>
using namespace nvcuda::wmma;
__global__ void tile(const half *a, const half *b, float *c, int ld, int k) {
  fragment<matrix_a, 16, 16, 16, half, row_major> fa;
  fragment<matrix_b, 16, 16, 16, half, col_major> fb;
  fragment<accumulator, 16, 16, 16, float> fc;
  fill_fragment(fc, 0.f);
  for (int i = 0; i < k; i += 16) {
    load_matrix_sync(fa, a + i, ld);
    load_matrix_sync(fb, b + i, ld);
    mma_sync(fc, fa, fb, fc);
  }
  store_matrix_sync(c, fc, ld, mem_row_major);
}
