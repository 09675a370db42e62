
namespace user {
}  // namespace user

extern "C" __global__ void __launch_bounds__(256) expo(
    const float* __restrict__ x,
    float* __restrict__ y,
    unsigned int tw_grid_x, unsigned int tw_grid_y, unsigned int tw_grid_z) {
  const tw::vec<tw::u32, 3> tw_grid(tw_grid_x, tw_grid_y, tw_grid_z);
  const tw::u32 tw_start = blockIdx.x * 1024u, tw_x = tw_start + threadIdx.x;
  const tw::u32 tw_y = blockIdx.y * 1u + threadIdx.y, tw_z = blockIdx.z * 1u + threadIdx.z;
  if (tw_y >= tw_grid_y || tw_z >= tw_grid_z) return;
  const auto tw_turn = [&](const tw::vec<tw::u32, 3> tw_at) {
    const tw::vec<tw::u32, 3> thread_position_in_grid = tw_at;
    tw::u32 i = thread_position_in_grid.x;
    y[i] = tw::exp(x[i]);
  };
  if (tw_grid_x - tw_start >= 1024u) {
  #pragma unroll
    for (tw::u32 tw_k = 0; tw_k < 4u; tw_k++) tw_turn(tw::vec<tw::u32, 3>(tw_x + tw_k * 256u, tw_y, tw_z));
  } else {
  #pragma unroll 1
    for (tw::u32 tw_k = tw_x; tw_k < tw_grid_x; tw_k += 256u) tw_turn(tw::vec<tw::u32, 3>(tw_k, tw_y, tw_z));
  }
}
