// Calls with parameters in memory, a returned structure, recursion, a function without a body here.
struct Pair { double a; int b[3]; };
__device__ __noinline__ Pair make(int x, Pair p) {
  p.a += x;
  p.b[x % 3] = x;
  return p;
}
__device__ __noinline__ int ackermann(int m, int n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
extern __device__ float elsewhere(float, char, short);
__global__ void calls(Pair *p, int n) {
  *p = make(n, *p);
  p->b[0] = ackermann(n, n) + (int)elsewhere(1.f, 'a', 2);
}
