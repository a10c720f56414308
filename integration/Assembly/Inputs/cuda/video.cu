// SIMD within a word, dot products of bytes, 24-bit and carry arithmetic.
__global__ void video(unsigned *x) {
  unsigned i = threadIdx.x, a = x[i], b = x[i + 32], c = x[i + 64];
  a = __vadd2(a, b) ^ __vabsdiffu4(b, c) ^ __vmaxs2(a, c) ^ __vcmpgtu4(a, b);
  a += __dp4a(a, b, c) + __dp2a_lo(a, b, c) + __umul24(a, b) + __umulhi(b, c) + __usad(a, b, c);
  unsigned __int128 w = (unsigned __int128)a * b + c;
  x[i] = (unsigned)(w >> 40) + __byte_perm(a, b, 0x1234) + __funnelshift_l(a, b, c) + (a << (b & 63));
}
