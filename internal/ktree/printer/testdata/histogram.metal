#include <metal_stdlib>
using namespace metal;

kernel void histogram(
    device const uint* x [[buffer(0)]],
    device atomic<int>* count [[buffer(1)]],
    device atomic<float>* total [[buffer(2)]],
    uint3 thread_position_in_grid [[thread_position_in_grid]]) {
uint i = thread_position_in_grid.x;
atomic_fetch_add_explicit(&count[x[i] & 7u], 1, memory_order_relaxed);
atomic_fetch_add_explicit(&total[0], float(x[i]), memory_order_relaxed);
}
