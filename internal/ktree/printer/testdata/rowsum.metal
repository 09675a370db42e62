#include <metal_stdlib>
using namespace metal;

kernel void rowsum(
    device const float* x [[buffer(0)]],
    device float* y [[buffer(1)]],
    constant const int* x_shape [[buffer(2)]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]],
    uint thread_index_in_simdgroup [[thread_index_in_simdgroup]],
    uint simdgroup_index_in_threadgroup [[simdgroup_index_in_threadgroup]],
    uint simdgroups_per_threadgroup [[simdgroups_per_threadgroup]]) {
threadgroup float parts[32];
uint row = threadgroup_position_in_grid.x;
float s = 0;
for (uint i = thread_position_in_threadgroup.x; i < uint(x_shape[1]); i += threads_per_threadgroup.x)
    s += x[row * x_shape[1] + i];
s = simd_sum(s);
if (thread_index_in_simdgroup == 0)
    parts[simdgroup_index_in_threadgroup] = s;
threadgroup_barrier(mem_flags::mem_threadgroup);
if (simdgroup_index_in_threadgroup == 0) {
    s = thread_index_in_simdgroup < simdgroups_per_threadgroup ? parts[thread_index_in_simdgroup] : 0.0f;
    s = simd_sum(s);
    if (thread_index_in_simdgroup == 0) y[row] = s;
}
}
