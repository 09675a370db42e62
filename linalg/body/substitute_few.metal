// Substitution for a few right sides, by GROUPS simdgroups for a matrix: x (batch, n, COUNT) solves t x = b, where t
// (batch, n, n) is a lower triangle, or with UPPER an upper one, whose rows then count from the last. UNIT takes
// the diagonal of t as ones. Of 32 rows at a time each simdgroup takes out of some what is solved; then one for
// each right side solves these rows, which have been divided by their diagonal.
threadgroup double done[MOST * COUNT];
threadgroup double low[32 * 33];
threadgroup double rest[32 * COUNT];
int lane = thread_position_in_threadgroup.x % 32;
int group = thread_position_in_threadgroup.x / 32;
int batch = threadgroup_position_in_grid.z;
int n = b_shape[1];
for (int k0 = 0; k0 < n; k0 += 32) {
    for (int above = 0; above < 32; above += GROUPS) {
        int row = above + group;
        int i = k0 + row;
        long at = long(batch) * n + (UPPER ? n - 1 - i : i);
        double sum[COUNT];
        for (int c = 0; c < COUNT; c++)
            sum[c] = 0;
        double by = 1;
        double lift = 1; // 2^100 where 1 / d would be infinite
        double own = 0;
        if (i < n) {
            for (int j = lane; j < k0; j += 32) {
                double f = double(t[at * n + (UPPER ? n - 1 - j : j)]);
                for (int c = 0; c < COUNT; c++)
                    sum[c] = fma(-f, done[MOST * c + j], sum[c]);
            }
            if (!UNIT) {
                double d = double(t[at * n + (UPPER ? n - 1 - i : i)]);
                lift = fabs(d) < 1e-300 ? 1267650600228229401496703205376.0 : 1.0;
                by = 1 / (d * lift);
            }
            int j = k0 + lane;
            own = j < i ? double(t[at * n + (UPPER ? n - 1 - j : j)]) : 0.0;
        }
        low[33 * row + lane] = own * lift * by;
        for (int c = 0; c < COUNT; c++) {
            double all = simd_sum(sum[c]);
            if (lane == 0)
                rest[32 * c + row] = i < n ? (double(b[at * COUNT + c]) + all) * lift * by : 0.0;
        }
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    // All do what COUNT of them have to: devices may want threads of a group to meet.
    int side = min(group, COUNT - 1);
    double v = rest[32 * side + lane];
    for (int s = 0; s < 32; s++) {
        double found = simd_broadcast(v, s);
        v = lane > s ? fma(-low[33 * lane + s], found, v) : v;
    }
    int j = k0 + lane;
    if (group < COUNT) {
        done[MOST * side + j] = v;
        if (j < n)
            x[(long(batch) * n + (UPPER ? n - 1 - j : j)) * COUNT + side] = T(v);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
}
