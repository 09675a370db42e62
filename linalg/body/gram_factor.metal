// Cholesky of a Gram matrix g by SIDE x GROUPS threads: g = r^T r, and xt is the
// transposed inverse of r, or zeros without INVERSE. Elimination runs in place:
// the multipliers that take the place of what they eliminate add up to the
// inverse. Thread (j, group) keeps column j of every row whose number is group
// modulo GROUPS, EACH of them; only the row that is next to be taken out of the
// others is shared, with zeros up to PADDED, which is GROUPS times EACH.
//
// A column of which no more is left than LOST allows, next to its square in
// scale, depends on earlier ones: its rows of r and xt are zero, and lost has a
// 1. The squares lie ROW apart for matrices and STEP for columns.
threadgroup double lines[2 * PADDED]; // the row in use, and the next
threadgroup double least[SIDE];       // that counts
threadgroup double left[SIDE];        // of a column's square
threadgroup double roots[SIDE];
uint j = thread_position_in_threadgroup.x;
uint group = thread_position_in_threadgroup.y;
uint batch = threadgroup_position_in_grid.z;
uint first = batch * SIDE * SIDE;
double own[EACH];
for (uint e = 0; e < EACH; e++) {
    uint i = group + GROUPS * e;
    own[e] = i < SIDE ? g[first + i * SIDE + j] : 0.0;
}
if (group == 0) {
    least[j] = LOST ? scale[batch * ROW + j * STEP] * 1e-14 : 0.0;
    lines[j] = own[0];
    if (SIDE + j < PADDED) {
        lines[SIDE + j] = 0;
        lines[PADDED + SIDE + j] = 0;
    }
}
threadgroup_barrier(mem_flags::mem_threadgroup);
for (uint k = 0; k < SIDE; k++) {
    uint now = (k & 1) * PADDED;
    threadgroup double* heads = lines + (now + group);
    double d = lines[now + k];
    double lift = d < 1e-300 ? 1267650600228229401496703205376.0 : 1.0; // 2^100 where 1 / d would be infinite
    double by = !(d <= least[k]) ? 1 / (d * lift) : 0.0;
    double row = (j == k ? 1.0 : lines[now + j]) * by;
    if (group == 0 && j == k)
        left[k] = d;
    // Four rows at a time, if any of them is left. All that is read comes before
    // what is written, or each would wait for the other.
    for (uint f = 0; f < EACH; f += 4) {
        if (GROUPS * f > k) {
            for (uint e = f; e < min(f + 4, uint(EACH)); e++)
                own[e] = fma(-heads[GROUPS * e] * lift, row, j == k ? 0.0 : own[e]);
        } else if (GROUPS * (f + 4) > k + 1) {
            for (uint e = f; e < min(f + 4, uint(EACH)); e++) {
                double taken = fma(-heads[GROUPS * e] * lift, row, j == k ? 0.0 : own[e]);
                own[e] = group + GROUPS * e > k ? taken : own[e];
            }
        }
    }
    for (uint f = 0; f < EACH; f += 4) {
        if (GROUPS * (f + 4) > k + 1 && GROUPS * f <= k + 1) {
            for (uint e = f; e < min(f + 4, uint(EACH)); e++) {
                if (group + GROUPS * e == k + 1)
                    lines[PADDED - now + j] = own[e];
            }
        }
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
}
if (group == 0) {
    bool kept = !(left[j] <= least[j]);
    roots[j] = kept ? 1 / sqrt(left[j]) : 0.0;
    lost[batch * SIDE + j] = kept ? 0.0 : 1.0;
}
threadgroup_barrier(mem_flags::mem_threadgroup);
for (uint e = 0; e < EACH; e++) {
    uint i = group + GROUPS * e;
    if (i < SIDE) {
        r[first + i * SIDE + j] = T(i <= j ? own[e] * roots[i] : 0.0);
        xt[first + i * SIDE + j] = T(i < j || !INVERSE ? 0.0 : (i == j ? 1.0 : own[e]) * roots[i]);
    }
}
