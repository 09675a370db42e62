// The median of a window of samples around each, zeros beyond the ends: a thread
// for each sample counts how many of the window are less.
uint i = thread_position_in_grid.x;
uint line = thread_position_in_grid.y;
int n = x_shape[1];
int half_size = SIZE / 2;
long at = long(line) * n;
T best = T(0);
for (int a = 0; a < SIZE; a++) {
    int p = int(i) + a - half_size;
    T v = (p >= 0 && p < n) ? x[at + p] : T(0);
    int less = 0;
    int same = 0;
    for (int b = 0; b < SIZE; b++) {
        int q = int(i) + b - half_size;
        T w = (q >= 0 && q < n) ? x[at + q] : T(0);
        less += w < v ? 1 : 0;
        same += w == v ? 1 : 0;
    }
    if (less <= half_size && half_size < less + same)
        best = v;
}
y[at + i] = best;
