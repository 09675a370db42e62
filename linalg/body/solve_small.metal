// Systems a x = b of N equations, up to 32, one for a simdgroup: x is (batch, N, COUNT) and pivots (batch, N). A lane
// keeps a row in registers. The column in use is always the first of them: columns turn by one with each step, so
// that no index depends on the step. Rows stay in their lanes: step says which pivot a row had, or N.
int lane = thread_position_in_threadgroup.x % 32;
int batch = threadgroup_position_in_grid.x * GROUPS + thread_position_in_threadgroup.x / 32;
long first = long(min(batch, a_shape[0] - 1)) * N;
double own[N];
double side[COUNT];
for (int c = 0; c < N; c++)
    own[c] = lane < N ? double(a[(first + lane) * N + c]) : 0.0;
for (int c = 0; c < COUNT; c++)
    side[c] = lane < N ? double(b[(first + lane) * COUNT + c]) : 0.0;
int step = N;
double pivot = 0;
for (int s = 0; s < N; s++) {
    // The largest number, and where it is first. Bits of moduli are in the order of moduli; 0 is no row.
    double size = fabs(own[0]);
    ulong key = lane < N && step == N ? as_type<ulong>(isnan(size) ? INFINITY : size) + 1 : 0;
    int from = simd_min(key == simd_max(key) ? lane : 31);
    double d = simd_broadcast(own[0], from);
    step = lane == from ? s : step;
    pivot = lane == from ? d : pivot;
    bool below = step == N;
    // 2^100 where 1 / d would be infinite. Numbers are not larger than d.
    double lift = fabs(d) < 1e-300 ? 1267650600228229401496703205376.0 : 1.0;
    double head = own[0];
    double factor = d == 0 ? 0.0 : head * lift * (1 / (d * lift));
    for (int c = 0; c + 1 < N; c++) {
        double next = own[c + 1];
        double taken = fma(-factor, simd_broadcast(next, from), next);
        own[c] = below ? taken : next;
    }
    own[N - 1] = head;
    for (int c = 0; c < COUNT; c++) {
        double taken = fma(-factor, simd_broadcast(side[c], from), side[c]);
        side[c] = below ? taken : side[c];
    }
}
// Now the column in use is the last, and columns turn back.
for (int s = N - 1; s >= 0; s--) {
    int from = simd_min(step == s ? lane : 31);
    double u = own[N - 1];
    double d = simd_broadcast(u, from);
    for (int c = 0; c < COUNT; c++) {
        double found = simd_broadcast(side[c], from) / d;
        double taken = fma(-u, found, side[c]);
        side[c] = step < s ? taken : step == s ? found : side[c];
    }
    for (int c = N - 1; c > 0; c--)
        own[c] = own[c - 1];
    own[0] = u;
}
if (batch < a_shape[0] && lane < N) {
    for (int c = 0; c < COUNT; c++)
        x[(first + step) * COUNT + c] = T(side[c]);
    pivots[first + step] = T(pivot);
}
