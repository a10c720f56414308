// A dense switch, which becomes a table of branch targets, and nested loops with exits.
__global__ void switches(int *x, int n) {
  for (int i = 0; i < n; ++i) {
    int v = x[i];
    switch (v) {
    case 0: x[i] = n; break;
    case 1: x[i] = v * 3; continue;
    case 2: x[i] = x[i + 1] / 7; break;
    case 3: return;
    case 4: for (int j = 0; j < v; ++j) if (x[j] == i) goto out; break;
    case 5: x[i] ^= 21; break;
    case 6: x[i] = __clz(v); break;
    case 7: asm volatile("trap;"); break;
    case 8: asm volatile("exit;"); break;
    default: x[i]--;
    }
  }
out:
  x[0] = 0;
}
