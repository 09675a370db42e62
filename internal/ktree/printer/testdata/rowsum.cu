
namespace user {
}  // namespace user

extern "C" __global__ void __launch_bounds__(256) rowsum(
    const float* __restrict__ x,
    float* __restrict__ y,
    const int* __restrict__ x_shape,
    unsigned int tw_grid_x, unsigned int tw_grid_y, unsigned int tw_grid_z) {
  const tw::vec<tw::u32, 3> tw_size(256, 1, 1), tw_grid(tw_grid_x, tw_grid_y, tw_grid_z);
  const tw::vec<tw::u32, 3> tw_group(blockIdx.x, blockIdx.y, blockIdx.z), tw_thread(threadIdx.x, threadIdx.y, threadIdx.z);
  const tw::vec<tw::u32, 3> tw_at = tw_group * tw_size + tw_thread;
  if (tw_at.x >= tw_grid_x || tw_at.y >= tw_grid_y || tw_at.z >= tw_grid_z) return;
  const tw::vec<tw::u32, 3> tw_ext = tw::min(tw_size, tw_grid - tw_group * tw_size);
  const tw::u32 tw_index = tw_thread.x + tw_ext.x * (tw_thread.y + tw_ext.y * tw_thread.z);
  const tw::vec<tw::u32, 3> threadgroup_position_in_grid = tw_group;
  const tw::vec<tw::u32, 3> thread_position_in_threadgroup = tw_thread;
  const tw::vec<tw::u32, 3> threads_per_threadgroup = tw_ext;
  const tw::u32 thread_index_in_simdgroup = tw_index % 32u;
  const tw::u32 simdgroup_index_in_threadgroup = tw_index / 32u;
  const tw::u32 simdgroups_per_threadgroup = (tw_ext.x * tw_ext.y * tw_ext.z + 31u) / 32u;
  __shared__ alignas(16) unsigned char tw_mem_parts[128]; auto& parts = *reinterpret_cast<float(*)[32]>(tw_mem_parts);
  tw::u32 row = threadgroup_position_in_grid.x;
  float s = 0.0f;
  {
    tw::u32 i = thread_position_in_threadgroup.x;
    for (; i < (tw::u32)x_shape[1]; i = i + threads_per_threadgroup.x) {
      s = s + x[(row * (tw::u32)x_shape[1]) + i];
    }
  }
  s = tw::simd_sum(s);
  if (thread_index_in_simdgroup == 0u) {
    parts[simdgroup_index_in_threadgroup] = s;
  }
  __syncthreads();
  if (simdgroup_index_in_threadgroup == 0u) {
    s = (thread_index_in_simdgroup < simdgroups_per_threadgroup) ? parts[thread_index_in_simdgroup] : 0.0f;
    s = tw::simd_sum(s);
    if (thread_index_in_simdgroup == 0u) {
      y[row] = s;
    }
  }
}
