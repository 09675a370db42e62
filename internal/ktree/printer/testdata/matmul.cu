
namespace user {
}  // namespace user

extern "C" __global__ void __launch_bounds__(256) matmul(
    const float* __restrict__ a,
    const float* __restrict__ b,
    float* __restrict__ c,
    unsigned int tw_grid_x, unsigned int tw_grid_y, unsigned int tw_grid_z) {
  const tw::vec<tw::u32, 3> tw_size(16, 16, 1), tw_grid(tw_grid_x, tw_grid_y, tw_grid_z);
  const tw::vec<tw::u32, 3> tw_group(blockIdx.x, blockIdx.y, blockIdx.z), tw_thread(threadIdx.x, threadIdx.y, threadIdx.z);
  const tw::vec<tw::u32, 3> tw_at = tw_group * tw_size + tw_thread;
  if (tw_at.x >= tw_grid_x || tw_at.y >= tw_grid_y || tw_at.z >= tw_grid_z) return;
  const tw::vec<tw::u32, 3> thread_position_in_grid = tw_at;
  const tw::vec<tw::u32, 3> thread_position_in_threadgroup = tw_thread;
  const tw::vec<tw::u32, 3> threads_per_grid = tw_grid;
  __shared__ alignas(16) unsigned char tw_mem_at[1024]; auto& at = *reinterpret_cast<float(*)[16][16]>(tw_mem_at);
  __shared__ alignas(16) unsigned char tw_mem_bt[1024]; auto& bt = *reinterpret_cast<float(*)[16][16]>(tw_mem_bt);
  tw::vec<tw::u32, 2> t = tw::swizzle<0, 1>(thread_position_in_threadgroup);
  tw::vec<tw::u32, 2> p = tw::swizzle<0, 1>(thread_position_in_grid);
  float acc = 0.0f;
  {
    int k = 0;
    for (; k < 64; k = k + 16) {
      at[t.y][t.x] = a[((p.y * 64u) + (tw::u32)k) + t.x];
      bt[t.y][t.x] = b[(((tw::u32)k + t.y) * threads_per_grid.x) + p.x];
      __syncthreads();
      {
        int j = 0;
        for (; j < 16; j = j + 1) {
          acc = tw::fma(at[t.y][j], bt[j][t.x], acc);
        }
      }
      __syncthreads();
    }
  }
  c[(p.y * threads_per_grid.x) + p.x] = acc;
}
