// Cooperative groups, clusters and distributed shared memory.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) groups(int *out) {
  __shared__ int s;
  auto cluster = cg::this_cluster();
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  s = cg::reduce(tile, (int)threadIdx.x, cg::plus<int>());
  cluster.sync();
  out[threadIdx.x] = *cluster.map_shared_rank(&s, cluster.block_rank() ^ 1) + tile.thread_rank();
  cluster.sync();
}
