// LU with exchanges of COUNT columns of w (batch, m, n), from row and column from[0] on: p is the
// factors of these rows in their new order, (batch, rows, COUNT), order says which row came where, and
// swapped counts exchanges, after those of swaps.
//
// A thread keeps EACH rows in registers, of type S. The column in use is always the first
// of them: columns turn by one with each step, so that no index depends on the step, and those that
// are done, at the end, hold multipliers.
threadgroup ulong parts[GROUPS];
threadgroup int places[GROUPS];
threadgroup double head[COUNT];  // the row of the pivot
threadgroup double rest[COUNT];  // the same, with zeros for columns that are done
threadgroup double other[COUNT]; // the row that it changes places with
threadgroup int moved[2];
threadgroup int finite; // whether the row of the pivot is
int tid = thread_position_in_threadgroup.x;
int group = tid / 32;
int m = w_shape[1];
int n = w_shape[2];
int k0 = from[0];
int rows = m - k0;
int batch = threadgroup_position_in_grid.z;
S own[EACH][COUNT];
int at[EACH];
for (int e = 0; e < EACH; e++) {
    int i = tid + 32 * GROUPS * e;
    at[e] = i;
    for (int c = 0; c < COUNT; c++)
        own[e][c] = i < rows && k0 + c < n ? S(w[(long(batch) * m + k0 + i) * n + k0 + c]) : S(0);
}
int exchanged = 0;
for (int j = 0; j < COUNT; j++) {
    // The largest number from row j on, and where it is first. Bits of moduli are in the order of moduli; 0 is no row.
    ulong best = 0;
    int place = rows;
    for (int e = 0; e < EACH; e++) {
        int i = tid + 32 * GROUPS * e;
        double size = fabs(double(own[e][0]));
        ulong v = as_type<ulong>(isnan(size) ? INFINITY : size) + 1;
        bool better = i >= j && i < rows && k0 + j < n && v > best;
        best = better ? v : best;
        place = better ? i : place;
    }
    ulong most = simd_max(best);
    int first = simd_min(best == most ? place : rows);
    if (tid % 32 == 0) {
        parts[group] = most;
        places[group] = first;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    best = tid % 32 < GROUPS ? parts[tid % 32] : 0;
    most = simd_max(best);
    int pivot = simd_min(best == most && tid % 32 < GROUPS ? places[tid % 32] : rows);
    pivot = pivot < rows ? pivot : j; // no rows are left
    exchanged += pivot != j ? 1 : 0;
    for (int e = 0; e < EACH; e++) {
        int i = tid + 32 * GROUPS * e;
        if (i == pivot) {
            moved[0] = at[e];
            int all = 1;
            for (int c = 0; c < COUNT; c++) {
                double v = double(own[e][c]);
                head[c] = v;
                rest[c] = c < COUNT - j ? v : 0.0;
                all = rest[c] - rest[c] == 0 ? all : 0;
            }
            finite = all;
        }
        if (i == j) {
            moved[1] = at[e];
            for (int c = 0; c < COUNT; c++)
                other[c] = double(own[e][c]);
        }
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    double d = head[0];
    // 2^100 where 1 / d would be infinite. Numbers are not larger than d.
    double lift = fabs(d) < 1e-300 ? 1267650600228229401496703205376.0 : 1.0;
    double by = d == 0 ? 0.0 : 1 / (d * lift);
    for (int e = 0; e < EACH; e++) {
        int i = tid + 32 * GROUPS * e;
        if (i == pivot) {
            at[e] = moved[1];
            for (int c = 0; c < COUNT; c++)
                own[e][c] = S(other[c]);
        }
        if (i == j) {
            at[e] = moved[0];
            for (int c = 0; c < COUNT; c++)
                own[e][c] = S(head[c]);
        }
        double factor = i > j ? double(own[e][0]) * lift * by : 0.0;
        S kept = i > j ? S(factor) : own[e][0];
        if (finite != 0) {
            for (int c = 0; c + 1 < COUNT; c++)
                own[e][c] = S(fma(-factor, rest[c + 1], double(own[e][c + 1])));
        } else { // zeros would make NaN of what is done
            for (int c = 0; c + 1 < COUNT; c++)
                own[e][c] = i > j && c + 1 < COUNT - j ? S(fma(-factor, rest[c + 1], double(own[e][c + 1]))) : own[e][c + 1];
        }
        own[e][COUNT - 1] = kept;
    }
}
for (int e = 0; e < EACH; e++) {
    int i = tid + 32 * GROUPS * e;
    if (i < rows) {
        order[batch * rows + i] = at[e];
        for (int c = 0; c < COUNT; c++)
            p[(long(batch) * rows + i) * COUNT + c] = T(own[e][c]);
    }
}
if (tid == 0)
    swapped[batch] = swaps[batch] + exchanged;
