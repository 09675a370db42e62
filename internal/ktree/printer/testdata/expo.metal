#include <metal_stdlib>
using namespace metal;

kernel void expo(
    device const float* x [[buffer(0)]],
    device float* y [[buffer(1)]],
    uint3 thread_position_in_grid [[thread_position_in_grid]]) {
uint i = thread_position_in_grid.x;
y[i] = exp(x[i]);
}
