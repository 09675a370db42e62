#include <metal_stdlib>
using namespace metal;

kernel void halves(
    device const half* h [[buffer(0)]],
    device half* g [[buffer(1)]],
    uint3 thread_position_in_grid [[thread_position_in_grid]]) {
uint i = thread_position_in_grid.x;
half4 v = half4(h[i]);
half s = v.x * 2.0h + half(0.5f);
g[i] = max(s, 0.0h) + exp(v.y);
}
