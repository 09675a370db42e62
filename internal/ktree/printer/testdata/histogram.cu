
namespace user {
}  // namespace user

extern "C" __global__ void __launch_bounds__(64) histogram(
    const tw::u32* __restrict__ x,
    int* __restrict__ count,
    float* __restrict__ total,
    unsigned int tw_grid_x, unsigned int tw_grid_y, unsigned int tw_grid_z) {
  const tw::vec<tw::u32, 3> tw_size(64, 1, 1), tw_grid(tw_grid_x, tw_grid_y, tw_grid_z);
  const tw::vec<tw::u32, 3> tw_group(blockIdx.x, blockIdx.y, blockIdx.z), tw_thread(threadIdx.x, threadIdx.y, threadIdx.z);
  const tw::vec<tw::u32, 3> tw_at = tw_group * tw_size + tw_thread;
  if (tw_at.x >= tw_grid_x || tw_at.y >= tw_grid_y || tw_at.z >= tw_grid_z) return;
  const tw::vec<tw::u32, 3> thread_position_in_grid = tw_at;
  tw::u32 i = thread_position_in_grid.x;
  tw::atomic_fetch_add(&count[x[i] & 7u], 1);
  tw::atomic_fetch_add(&total[0], (float)x[i]);
}
