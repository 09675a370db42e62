
namespace user {
}  // namespace user

extern "C" __global__ void __launch_bounds__(64) kinds(
    const tw::i64* __restrict__ q,
    const int* __restrict__ b,
    const double* __restrict__ d,
    const tw::bfloat* __restrict__ bf,
    const bool* __restrict__ m,
    tw::i64* __restrict__ l,
    tw::u8* __restrict__ o,
    double* __restrict__ e,
    unsigned int tw_grid_x, unsigned int tw_grid_y, unsigned int tw_grid_z) {
  const tw::vec<tw::u32, 3> tw_size(64, 1, 1), tw_grid(tw_grid_x, tw_grid_y, tw_grid_z);
  const tw::vec<tw::u32, 3> tw_group(blockIdx.x, blockIdx.y, blockIdx.z), tw_thread(threadIdx.x, threadIdx.y, threadIdx.z);
  const tw::vec<tw::u32, 3> tw_at = tw_group * tw_size + tw_thread;
  if (tw_at.x >= tw_grid_x || tw_at.y >= tw_grid_y || tw_at.z >= tw_grid_z) return;
  const tw::vec<tw::u32, 3> thread_position_in_grid = tw_at;
  tw::u32 i = thread_position_in_grid.x;
  tw::i64 a = (q[i] * 3ll) + (q[i] >> 2);
  short s = (short)a;
  s = (short)tw::div<int>((int)s, (int)(short)b[i]);
  tw::u8 c = tw::convert<tw::u8>(d[i]);
  tw::vec<float, 4> v = tw::vec<float, 4>(1.0f, 2.0f, 3.0f, 4.0f);
  tw::pick(v, (i & 3u)) = tw::convert<float>(bf[i]);
  tw::vec<int, 4> w = tw::shl(tw::convert<tw::vec<int, 4>>(v), tw::vec<int, 4>(2));
  l[i] = tw::convert<tw::i64>((((float)((((((a + (tw::i64)s) + (tw::i64)c) + (tw::i64)w.x) + (tw::i64)tw::popcount(b[i])) + (tw::i64)tw::clz(b[i])) + (tw::i64)tw::mulhi(b[i], 7)) + tw::pick(v, (i & 3u))) + (float)(int)m[i]));
  int k = 0;
  do {
    k = k + 1;
    if (k == 3) {
      continue;
    }
  } while (k < 5);
  o[i] = (tw::u8)((((int)tw::convert<tw::u8>(d[i]) + (int)(tw::u8)k) + (int)tw::simd_shuffle_xor(c, 1u)) + (int)tw::isnan(d[i]));
  e[i] = ((tw::pow(d[i], 2.0) + tw::rint(d[i])) + tw::fmod(d[i], 3.0)) + __longlong_as_double(0x7ff0000000000000ll);
}
