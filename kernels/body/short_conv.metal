// Depthwise convolution with three taps: x is (rows of) lines, each with the
// taps of its channel. FIRST is the offset of the first tap from the sample:
// -1 for centred, -2 for causal. Samples outside the line are zero. Only the
// reads depend on where the line ends, so that a GPU has many on their way.
uint2 at = thread_position_in_grid.xy;
uint length = x_shape[2];
device const float* line = x + at.y * length;
//twiddle:ignore TWK01 one division beside six reads of memory
device const float* taps = w + (at.y % x_shape[1]) * 3;
float s = 0;
for (int k = 0; k < 3; k++) {
    int t = int(at.x) + FIRST + k;
    float v = 0;
    if (t >= 0 && t < int(length))
        v = line[t];
    s = fma(taps[k], v, s);
}
y[at.y * length + at.x] = s;
