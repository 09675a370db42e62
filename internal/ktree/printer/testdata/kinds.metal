#include <metal_stdlib>
using namespace metal;

kernel void kinds(
    device const long* q [[buffer(0)]],
    device const int* b [[buffer(1)]],
    device const double* d [[buffer(2)]],
    device const bfloat* bf [[buffer(3)]],
    device const bool* m [[buffer(4)]],
    device long* l [[buffer(5)]],
    device uchar* o [[buffer(6)]],
    device double* e [[buffer(7)]],
    uint3 thread_position_in_grid [[thread_position_in_grid]]) {
uint i = thread_position_in_grid.x;
long a = q[i] * 3 + (q[i] >> 2);
short s = short(a);
s = s / short(b[i]);
uchar c = uchar(d[i]);
float4 v = float4(1, 2, 3, 4);
v[i & 3] = float(bf[i]);
int4 w = int4(v) << 2;
l[i] = a + s + c + w.x + popcount(b[i]) + clz(b[i]) + mulhi(b[i], 7) + v[i & 3] + int(m[i]);
int k = 0;
do { k++; if (k == 3) continue; } while (k < 5);
o[i] = uchar(d[i]) + uchar(k) + simd_shuffle_xor(c, 1) + isnan(d[i]);
e[i] = pow(d[i], 2.0) + rint(d[i]) + fmod(d[i], 3.0) + 1.0 / 0.0;
}
