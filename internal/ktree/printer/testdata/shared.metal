#include <metal_stdlib>
using namespace metal;

void fill(threadgroup float2* t, uint i, float v) { t[i] = float2(v, -v); }

kernel void shared(
    device const float* x [[buffer(0)]],
    device float* y [[buffer(1)]],
    uint3 thread_position_in_grid [[thread_position_in_grid]],
    uint thread_index_in_threadgroup [[thread_index_in_threadgroup]]) {
threadgroup float2 pairs[64];
threadgroup atomic_uint hits;
uint i = thread_index_in_threadgroup;
if (i == 0) atomic_store_explicit(&hits, 0u, memory_order_relaxed);
fill(pairs, i, x[thread_position_in_grid.x]);
threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device);
float2 p = pairs[i ^ 1];
if (p.x > 0) atomic_fetch_add_explicit(&hits, 1u, memory_order_relaxed);
float local[4] = {p.x, p.y};
for (int k = 2; k < 4; k++) local[k] = local[k - 2] * 2;
threadgroup_barrier(mem_flags::mem_threadgroup);
y[thread_position_in_grid.x] = local[i & 3] + float(atomic_load_explicit(&hits, memory_order_relaxed));
}
