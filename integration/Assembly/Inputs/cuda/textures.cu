// Texture and surface objects.
__global__ void textures(cudaTextureObject_t t, cudaSurfaceObject_t s, float4 *out, int i) {
  float4 a = tex1Dfetch<float4>(t, i);
  float4 b = tex2D<float4>(t, 0.5f * i, 1.5f);
  float4 c = tex3DLod<float4>(t, 1, 2, 3, 4);
  float4 g = tex2Dgather<float4>(t, 1, 2, 3);
  int r;
  surf2Dread(&r, s, 4 * i, i);
  surf2Dwrite(r + 1, s, 4 * i, i + 1, cudaBoundaryModeClamp);
  out[i] = make_float4(a.x + b.y, b.x + c.z, c.w + g.x, r);
}
