// LU with exchanges of a few columns, which lie as the rows of q (batch, count, rows), no more than COUNT of them: p is their
// factors with rows in their new order, order says which row came where, and swapped counts exchanges, after those of swaps.
//
// A thread keeps EACH rows in registers, of type S. They stay where they are, and at says which place in the new order they
// have by now. The column in use is always the first of them: columns turn by one with each step, so that no index depends
// on the step, and those that are done, at the end, hold multipliers.
threadgroup ulong sizes[GROUPS];
threadgroup int places[GROUPS];
threadgroup S rest[COUNT];  // the row of the pivot, with zeros for columns that are done
threadgroup double over[2]; // 1 / (the pivot * over[1])
threadgroup int finite;     // whether rest is
int tid = thread_position_in_threadgroup.x;
int lane = tid % 32;
int count = q_shape[1];
int rows = q_shape[2];
int batch = threadgroup_position_in_grid.z;
long first = long(batch) * count * rows;
S own[EACH][COUNT];
int at[EACH];
T loaded[EACH][COUNT]; // all are asked for before the first is waited for
for (int e = 0; e < EACH; e++) {
    at[e] = tid + 32 * GROUPS * e;
    for (int c = 0; c < COUNT; c++)
        loaded[e][c] = at[e] < rows && c < count ? q[first + long(c) * rows + at[e]] : T(0);
}
for (int e = 0; e < EACH; e++) {
    for (int c = 0; c < COUNT; c++)
        own[e][c] = S(loaded[e][c]);
}
int exchanged = 0;
for (int j = 0; j < COUNT; j++) {
    // The largest number from row j on, and where it is first. Bits of moduli are in the order of moduli; 0 is no row.
    ulong best = 0;
    int place = rows;
    for (int e = 0; e < EACH; e++) {
        double size = fabs(double(own[e][0]));
        ulong v = at[e] >= j && at[e] < rows && j < count ? as_type<ulong>(isnan(size) ? INFINITY : size) + 1 : 0;
        bool better = v > best || (v == best && at[e] < place);
        best = better ? v : best;
        place = better ? at[e] : place;
    }
    ulong most = simd_max(best);
    place = simd_min(best == most ? place : rows);
    if (GROUPS > 1) {
        if (lane == 0) {
            sizes[tid / 32] = most;
            places[tid / 32] = place;
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
        best = lane < GROUPS ? sizes[lane] : 0;
        place = lane < GROUPS ? places[lane] : rows;
        most = simd_max(best);
        place = simd_min(best == most ? place : rows);
    } else {
        threadgroup_barrier(mem_flags::mem_threadgroup); // rest has been read
    }
    int pivot = most > 0 ? place : j; // no rows or columns are left
    exchanged += pivot != j ? 1 : 0;
    for (int e = 0; e < EACH; e++) {
        bool leads = at[e] == pivot;
        if (leads) {
            S sums[4] = {0, 0, 0, 0};
            for (int c = 0; c < COUNT; c++) {
                S v = c < COUNT - j ? own[e][c] : S(0);
                rest[c] = v;
                sums[c & 3] += fabs(v);
            }
            S all = (sums[0] + sums[1]) + (sums[2] + sums[3]);
            finite = all - all == 0 ? 1 : 0;
            // 2^100 where 1 / d would be infinite. Numbers are not larger than d.
            double d = double(own[e][0]);
            double lift = fabs(d) < 1e-300 ? 1267650600228229401496703205376.0 : 1.0;
            over[0] = d == 0 ? 0.0 : 1 / (d * lift);
            over[1] = lift;
        }
        at[e] = leads ? j : at[e] == j ? pivot : at[e];
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (int e = 0; e < EACH; e++) {
        bool below = at[e] > j;
        S factor = below ? S(double(own[e][0]) * over[1] * over[0]) : S(0);
        S kept = below ? factor : own[e][0];
        if (finite != 0) {
            for (int c = 0; c + 1 < COUNT; c++)
                own[e][c] = fma(-factor, rest[c + 1], own[e][c + 1]);
        } else { // zeros would make NaN of what is done
            for (int c = 0; c + 1 < COUNT; c++)
                own[e][c] = below && c + 1 < COUNT - j ? fma(-factor, rest[c + 1], own[e][c + 1]) : own[e][c + 1];
        }
        own[e][COUNT - 1] = kept;
    }
}
for (int e = 0; e < EACH; e++) {
    if (at[e] < rows) {
        order[batch * rows + at[e]] = tid + 32 * GROUPS * e;
        for (int c = 0; c < COUNT; c++) {
            if (c < count)
                p[first + long(c) * rows + at[e]] = T(own[e][c]);
        }
    }
}
if (tid == 0)
    swapped[batch] = swaps[batch] + exchanged;
