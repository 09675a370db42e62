// Levinson-Durbin, a thread for each line: from the correlation r of a line at
// lags 0 to ORDER, the coefficients a of the predictor, its reflection
// coefficients and the power e that it leaves.
uint line = thread_position_in_grid.x;
double now[ORDER + 1];
double before[ORDER + 1];
uint at = line * (ORDER + 1);
double left = r[at];
now[0] = 1;
for (uint m = 1; m <= ORDER; m++) {
    double s = r[at + m];
    for (uint i = 1; i < m; i++)
        s += now[i] * double(r[at + m - i]);
    // A line that is predicted fully, silence for one, has nothing left to give.
    double k = left > 0 ? -s / left : 0.0;
    for (uint i = 1; i < m; i++)
        before[i] = now[i];
    for (uint i = 1; i < m; i++)
        now[i] = before[i] + k * before[m - i];
    now[m] = k;
    reflection[line * ORDER + m - 1] = T(k);
    left *= 1 - k * k;
}
for (uint i = 0; i <= ORDER; i++)
    a[at + i] = T(now[i]);
e[line] = T(left);
