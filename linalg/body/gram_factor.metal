// Cholesky of a Gram matrix g by SIDE threads, one for each column: g = r^T r,
// and x is the inverse of r. Elimination runs in place: the multipliers that
// take the place of what they eliminate add up to the inverse.
//
// A column of which no more is left than LOST allows, next to its square in
// scale, depends on earlier ones: its row of r and its column of x are zero, and
// lost has a 1. The squares lie ROW apart for matrices and STEP for columns.
threadgroup double w[SIDE * SIDE];
uint j = thread_position_in_threadgroup.x;
uint batch = threadgroup_position_in_grid.z;
uint first = batch * SIDE * SIDE;
double least = LOST ? 1e-14 : 0.0;
for (uint i = 0; i < SIDE; i++)
    w[i * SIDE + j] = g[first + i * SIDE + j];
threadgroup_barrier(mem_flags::mem_threadgroup);
for (uint k = 0; k < SIDE; k++) {
    double d = w[k * SIDE + k];
    bool kept = !(d <= scale[batch * ROW + k * STEP] * least);
    double by = kept ? 1 / d : 0.0;
    double row = w[k * SIDE + j] * by;
    if (j != k) {
        for (uint i = k + 1; i < SIDE; i++)
            w[i * SIDE + j] -= w[i * SIDE + k] * row;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (j > k)
        w[j * SIDE + k] *= -by;
    threadgroup_barrier(mem_flags::mem_threadgroup);
}
double own = w[j * SIDE + j];
bool kept = !(own <= scale[batch * ROW + j * STEP] * least);
double by = kept ? 1 / sqrt(own) : 0.0;
lost[batch * SIDE + j] = kept ? 0.0 : 1.0;
for (uint i = 0; i < SIDE; i++) {
    double d = w[i * SIDE + i];
    bool keptRow = !(d <= scale[batch * ROW + i * STEP] * least);
    double rowBy = keptRow ? 1 / sqrt(d) : 0.0;
    r[first + i * SIDE + j] = i <= j ? w[i * SIDE + j] * rowBy : 0.0;
    x[first + i * SIDE + j] = i <= j ? (i == j ? 1.0 : w[j * SIDE + i]) * by : 0.0;
}
