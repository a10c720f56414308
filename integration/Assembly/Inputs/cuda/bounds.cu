// Launch bounds, a register limit, vectors of chars, volatile accesses, many types of parameters.
struct Small { char c[3]; };
__global__ void __launch_bounds__(256, 4) bounds(Small s, char4 c, short2 *p, volatile int *v, bool flag, double2 d, const __grid_constant__ int g) {
  p[threadIdx.x] = make_short2(s.c[threadIdx.x % 3] + c.y, c.w);
  if (flag)
    v[0] = v[1] + (int)(d.x > d.y) + g;
}
__global__ void __maxnreg__(64) limited(uchar3 *u, long long *l) {
  u[1] = make_uchar3(u[0].z, u[0].y, (unsigned char)l[0]);
  l[threadIdx.x] = l[0] % 10 / (l[1] | 1);
}
