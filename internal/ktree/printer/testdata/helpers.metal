#include <metal_stdlib>
using namespace metal;

constant float taps[3] = {0.25f, 0.5f, 0.25f};
constant float2 phase = float2(0.5f, -1.0f);
float2 cmul(float2 a, float2 b) { return float2(a.x*b.x - a.y*b.y, a.x*b.y + a.y*b.x); }
float clampIndex(device const float* p, int i, int n) { if (i < 0) return p[0]; if (i >= n) { return p[n - 1]; } return p[i]; }
int search(device const float* p, int n, float v) { for (int i = 0; i < n; i++) { if (p[i] > v) return i; } return n; }
void rotate(thread float& x, thread float& y) { float t = x; x = -y; y = t; }

kernel void helpers(
    device const float* x [[buffer(0)]],
    device const float2* z [[buffer(1)]],
    device float* y [[buffer(2)]],
    device float2* w [[buffer(3)]],
    uint3 thread_position_in_grid [[thread_position_in_grid]],
    uint3 threads_per_grid [[threads_per_grid]]) {
uint i = thread_position_in_grid.x;
int n = threads_per_grid.x;
float s = 0;
for (int k = 0; k < 3; k++) s += taps[k] * clampIndex(x, int(i) + k - 1, n);
float2 v = cmul(z[i], phase);
rotate(v.x, v.y);
float4 q = float4(v, s, 1);
q.xy = q.yx;
q.zw *= 2.0f;
device const float* p = x;
p += i;
bool big = *p > 1 && i > 3;
q.x = big ? q.x : -q.x;
int k = search(x, n, s);
w[i] = q.xz + select(float2(0.0f), q.yw, q.xy > 0.0f) + float(k++);
y[i] = dot(q, q) + mix(s, 1.0f, 0.5f) + as_type<float>(as_type<uint>(s) & 0xffffff00u) + float(k) + clamp(i / uint(n - 3), 0u, 5u) + (k << 2);
}
