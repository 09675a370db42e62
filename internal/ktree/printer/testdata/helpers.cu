
namespace user {
__device__ const float taps[3] = {0.25f, 0.5f, 0.25f};
TW tw::vec<float, 2> phase() { return tw::vec<float, 2>(0.5f, -1.0f); }
TW tw::vec<float, 2> cmul(tw::vec<float, 2> a, tw::vec<float, 2> b) {
  return tw::vec<float, 2>((a.x * b.x) - (a.y * b.y), (a.x * b.y) + (a.y * b.x));
}
TW float clampIndex(const float* p, int i, int n) {
  if (i < 0) {
    return p[0];
  }
  if (i >= n) {
    return p[n - 1];
  }
  return p[i];
}
TW int search(const float* p, int n, float v) {
  {
    int i = 0;
    for (; i < n; i = i + 1) {
      if (p[i] > v) {
        return i;
      }
    }
  }
  return n;
}
TW void rotate(float& x, float& y) {
  float t = x;
  x = -y;
  y = t;
}
}  // namespace user

extern "C" __global__ void __launch_bounds__(64) helpers(
    const float* __restrict__ x,
    const tw::vec<float, 2>* __restrict__ z,
    float* __restrict__ y,
    tw::vec<float, 2>* __restrict__ w,
    unsigned int tw_grid_x, unsigned int tw_grid_y, unsigned int tw_grid_z) {
  const tw::vec<tw::u32, 3> tw_size(64, 1, 1), tw_grid(tw_grid_x, tw_grid_y, tw_grid_z);
  const tw::vec<tw::u32, 3> tw_group(blockIdx.x, blockIdx.y, blockIdx.z), tw_thread(threadIdx.x, threadIdx.y, threadIdx.z);
  const tw::vec<tw::u32, 3> tw_at = tw_group * tw_size + tw_thread;
  if (tw_at.x >= tw_grid_x || tw_at.y >= tw_grid_y || tw_at.z >= tw_grid_z) return;
  const tw::vec<tw::u32, 3> thread_position_in_grid = tw_at;
  const tw::vec<tw::u32, 3> threads_per_grid = tw_grid;
  tw::u32 i = thread_position_in_grid.x;
  int n = (int)threads_per_grid.x;
  float s = 0.0f;
  {
    int k = 0;
    for (; k < 3; k = k + 1) {
      s = s + (user::taps[k] * user::clampIndex(x, ((int)i + k) - 1, n));
    }
  }
  tw::vec<float, 2> v = user::cmul(z[i], user::phase());
  user::rotate(v.x, v.y);
  tw::vec<float, 4> q = tw::make<float, 4>(v, s, 1.0f);
  tw::put<0, 1>(q, tw::swizzle<1, 0>(q));
  tw::put<2, 3>(q, (tw::swizzle<2, 3>(q) * tw::vec<float, 2>(2.0f)));
  const float* p = x;
  p = p + i;
  bool big = (p[0] > 1.0f) && (i > 3u);
  q.x = big ? q.x : (-q.x);
  int k = user::search(x, n, s);
  w[i] = (tw::swizzle<0, 2>(q) + tw::select(tw::vec<float, 2>(0.0f), tw::swizzle<1, 3>(q), tw::swizzle<0, 1>(q) > tw::vec<float, 2>(0.0f))) + tw::vec<float, 2>((float)tw::old(k, (k + 1)));
  y[i] = ((((tw::dot(q, q) + tw::mix(s, 1.0f, 0.5f)) + tw::bits<float>((tw::bits<tw::u32>(s) & 4294967040u))) + (float)k) + (float)tw::clamp(tw::div<tw::u32>(i, (tw::u32)(n - 3)), 0u, 5u)) + (float)(k << 2);
}
