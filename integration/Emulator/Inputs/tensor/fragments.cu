// The registers of every wmma fragment as the hardware fills them: one warp, a matrix of distinct
// words, each register stored as it is.

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

template <typename Fragment>
__device__ void dump(const Fragment &fragment, unsigned *&out) {
  const unsigned *words = reinterpret_cast<const unsigned *>(&fragment);
  for (unsigned i = 0; i < sizeof fragment / 4; ++i, out += 32)
    out[threadIdx.x] = words[i];
}

template <int M, int N, int K, typename T, typename Layout, typename Stored>
__device__ void operands(const void *in, unsigned *&out) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, Layout> a;
  wmma::fragment<wmma::matrix_b, M, N, K, T, Layout> b;
  wmma::load_matrix_sync(a, static_cast<const Stored *>(in), 48);
  wmma::load_matrix_sync(b, static_cast<const Stored *>(in), 48);
  dump(a, out);
  dump(b, out);
}

template <int M, int N, int K, typename T>
__device__ void accumulators(const void *in, unsigned *&out) {
  wmma::fragment<wmma::accumulator, M, N, K, T> c;
  wmma::load_matrix_sync(c, static_cast<const T *>(in), 48, wmma::mem_row_major);
  dump(c, out);
  wmma::load_matrix_sync(c, static_cast<const T *>(in), 48, wmma::mem_col_major);
  dump(c, out);
}

template <int M, int N, int K> __device__ void shape(const void *in, unsigned *&out) {
  operands<M, N, K, half, wmma::row_major, half>(in, out);
  operands<M, N, K, half, wmma::col_major, half>(in, out);
  operands<M, N, K, __nv_bfloat16, wmma::row_major, __nv_bfloat16>(in, out);
  operands<M, N, K, __nv_bfloat16, wmma::col_major, __nv_bfloat16>(in, out);
  operands<M, N, K, signed char, wmma::row_major, signed char>(in, out);
  operands<M, N, K, unsigned char, wmma::col_major, unsigned char>(in, out);
  accumulators<M, N, K, float>(in, out);
  accumulators<M, N, K, half>(in, out);
  accumulators<M, N, K, int>(in, out);
}

extern "C" __global__ void fragments(const void *in, unsigned *out) {
  shape<16, 16, 16>(in, out);
  shape<32, 8, 16>(in, out);
  shape<8, 32, 16>(in, out);
  operands<16, 16, 8, wmma::precision::tf32, wmma::row_major, float>(in, out);
  operands<16, 16, 8, wmma::precision::tf32, wmma::col_major, float>(in, out);
  operands<8, 8, 4, double, wmma::row_major, double>(in, out);
  operands<8, 8, 4, double, wmma::col_major, double>(in, out);
  accumulators<8, 8, 4, double>(in, out);
}
