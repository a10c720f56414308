// Compiled with -G: DWARF sections, locations, everything in local memory.
struct Node { int value; Node *next; };
template <typename T> __device__ T sum(const Node *list) {
  T total = 0;
  for (; list; list = list->next)
    total += list->value;
  return total;
}
__global__ void debug(Node *list, long long *out) {
  int local[5] = {1, 2, 3, 4, 5};
  for (int i = 0; i < 5; ++i)
    local[i] += sum<int>(list);
  *out = sum<long long>(list) + local[threadIdx.x % 5];
}
