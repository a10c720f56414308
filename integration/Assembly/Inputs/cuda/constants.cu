// Constant memory, tables of several types and shapes, managed and extern variables.
__constant__ float filter[3][5] = {{1, 2.5f, -3}, {0.1f}, {1e-30f, 1e30f, -0.0f, 4, 5}};
__constant__ double wide[] = {1.0 / 3, -2e-300};
__device__ short small[7] = {-1, 2, -3};
__device__ unsigned long long big = 0xfedcba9876543210ull;
__managed__ int shared_with_host = 42;
__device__ const char text[] = "zero\0one";
struct Mixed { char c; int i; double d; const char *p; };
__device__ Mixed mixed[2] = {{'x', -7, 0.5, text}, {'y', 8, -0.25, text + 5}};
__global__ void constants(float *out, int i, int j) {
  out[i] = filter[i][j] * (float)wide[i & 1] + small[i] + big + shared_with_host + mixed[i].d + mixed[j].p[i];
}
