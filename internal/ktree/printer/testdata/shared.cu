
namespace user {
TW void fill(tw::vec<float, 2>* t, tw::u32 i, float v) {
  t[i] = tw::vec<float, 2>(v, -v);
}
}  // namespace user

extern "C" __global__ void __launch_bounds__(64) shared(
    const float* __restrict__ x,
    float* __restrict__ y,
    unsigned int tw_grid_x, unsigned int tw_grid_y, unsigned int tw_grid_z) {
  const tw::vec<tw::u32, 3> tw_size(64, 1, 1), tw_grid(tw_grid_x, tw_grid_y, tw_grid_z);
  const tw::vec<tw::u32, 3> tw_group(blockIdx.x, blockIdx.y, blockIdx.z), tw_thread(threadIdx.x, threadIdx.y, threadIdx.z);
  const tw::vec<tw::u32, 3> tw_at = tw_group * tw_size + tw_thread;
  if (tw_at.x >= tw_grid_x || tw_at.y >= tw_grid_y || tw_at.z >= tw_grid_z) return;
  const tw::vec<tw::u32, 3> tw_ext = tw::min(tw_size, tw_grid - tw_group * tw_size);
  const tw::u32 tw_index = tw_thread.x + tw_ext.x * (tw_thread.y + tw_ext.y * tw_thread.z);
  const tw::vec<tw::u32, 3> thread_position_in_grid = tw_at;
  const tw::u32 thread_index_in_threadgroup = tw_index;
  __shared__ alignas(16) unsigned char tw_mem_pairs[512]; auto& pairs = *reinterpret_cast<tw::vec<float, 2>(*)[64]>(tw_mem_pairs);
  __shared__ alignas(16) unsigned char tw_mem_hits[4]; auto& hits = *reinterpret_cast<tw::u32(*)>(tw_mem_hits);
  tw::u32 i = thread_index_in_threadgroup;
  if (i == 0u) {
    tw::atomic_store(&hits, 0u);
  }
  user::fill(&pairs[0], i, x[thread_position_in_grid.x]);
  __syncthreads();
  tw::vec<float, 2> p = pairs[i ^ 1u];
  if (p.x > 0.0f) {
    tw::atomic_fetch_add(&hits, 1u);
  }
  float local[4] = {p.x, p.y};
  {
    int k = 2;
    for (; k < 4; k = k + 1) {
      local[k] = local[k - 2] * 2.0f;
    }
  }
  __syncthreads();
  y[thread_position_in_grid.x] = local[i & 3u] + (float)tw::atomic_load(&hits);
}
