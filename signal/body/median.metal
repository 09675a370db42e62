// The median of a window of samples around each, zeros beyond the ends, over up to
// three axes: a thread for each sample counts how many of the window are less.
// x is (blocks, D0, D1, D2); the window is S0 x S1 x S2.
uint i2 = thread_position_in_grid.x;
uint row = thread_position_in_grid.y;
int i0 = int(row / uint(D1)) % D0;
int i1 = int(row % uint(D1));
long block = long(row / uint(D1 * D0)) * D0;
int middle = S0 * S1 * S2 / 2;
T best = T(0);
for (int a = 0; a < S0 * S1 * S2; a++) {
    int p0 = i0 + a / (S1 * S2) - S0 / 2;
    int p1 = i1 + a / S2 % S1 - S1 / 2;
    int p2 = int(i2) + a % S2 - S2 / 2;
    T v = (p0 >= 0 && p0 < D0 && p1 >= 0 && p1 < D1 && p2 >= 0 && p2 < D2) ? x[((block + p0) * D1 + p1) * D2 + p2] : T(0);
    int less = 0;
    int same = 0;
    for (int b = 0; b < S0 * S1 * S2; b++) {
        int q0 = i0 + b / (S1 * S2) - S0 / 2;
        int q1 = i1 + b / S2 % S1 - S1 / 2;
        int q2 = int(i2) + b % S2 - S2 / 2;
        T w = (q0 >= 0 && q0 < D0 && q1 >= 0 && q1 < D1 && q2 >= 0 && q2 < D2) ? x[((block + q0) * D1 + q1) * D2 + q2] : T(0);
        less += w < v ? 1 : 0;
        same += w == v ? 1 : 0;
    }
    if (less <= middle && middle < less + same)
        best = v;
}
y[long(row) * D2 + i2] = best;
