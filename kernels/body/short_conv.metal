// Depthwise convolution with three taps: lines are x of the grid, channels y,
// each with its taps, and batches z. FIRST is the offset of the first tap from
// the sample: -1 for centred, -2 for causal. Samples outside the line are zero;
// as unsigned numbers their places are past its end. Only the reads depend on
// that, so that a GPU has many on their way.
uint3 at = thread_position_in_grid;
uint length = threads_per_grid.x;
uint start = (at.z * threads_per_grid.y + at.y) * length;
device const float* line = x + start;
device const float* taps = w + at.y * 3;
float s = 0;
for (int k = 0; k < 3; k++) {
    int t = int(at.x) + FIRST + k;
    float v = 0;
    if (uint(t) < length)
        v = line[t];
    s = fma(taps[k], v, s);
}
y[start + at.x] = s;
