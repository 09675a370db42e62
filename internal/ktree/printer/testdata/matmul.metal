#include <metal_stdlib>
using namespace metal;

constant constexpr int K = 64;

constant int SIZE = 16;

kernel void matmul(
    device const float* a [[buffer(0)]],
    device const float* b [[buffer(1)]],
    device float* c [[buffer(2)]],
    uint3 thread_position_in_grid [[thread_position_in_grid]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threads_per_grid [[threads_per_grid]]) {
threadgroup float at[SIZE][SIZE];
threadgroup float bt[SIZE][SIZE];
uint2 t = thread_position_in_threadgroup.xy;
uint2 p = thread_position_in_grid.xy;
float acc = 0;
for (int k = 0; k < K; k += SIZE) {
    at[t.y][t.x] = a[p.y * K + k + t.x];
    bt[t.y][t.x] = b[(k + t.y) * threads_per_grid.x + p.x];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (int j = 0; j < SIZE; j++)
        acc = fma(at[t.y][j], bt[j][t.x], acc);
    threadgroup_barrier(mem_flags::mem_threadgroup);
}
c[p.y * threads_per_grid.x + p.x] = acc;
}
