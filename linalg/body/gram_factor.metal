// Cholesky of a Gram matrix g by SIDE threads, one for each column: g = r^T r,
// and x is the inverse of r. Elimination runs in place: the multipliers that
// take the place of what they eliminate add up to the inverse.
//
// A column whose rest is below least of its square depends on earlier ones: its
// row of r and its column of x are zero, and lost has a 1.
threadgroup double w[SIDE * SIDE];
uint j = thread_position_in_threadgroup.x;
uint first = threadgroup_position_in_grid.z * SIDE * SIDE;
for (uint i = 0; i < SIDE; i++)
    w[i * SIDE + j] = g[first + i * SIDE + j];
threadgroup_barrier(mem_flags::mem_threadgroup);
for (uint k = 0; k < SIDE; k++) {
    double d = w[k * SIDE + k];
    bool kept = !(d <= g[first + k * SIDE + k] * least[0]);
    double by = kept ? 1 / d : 0.0;
    double row = (j == k ? 1.0 : w[k * SIDE + j]) * by;
    double keep = j == k ? 0.0 : 1.0;
    for (uint i = k + 1; i < SIDE; i++) {
        double head = w[i * SIDE + k];
        threadgroup_barrier(mem_flags::mem_threadgroup);
        w[i * SIDE + j] = w[i * SIDE + j] * keep - head * row;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
}
double own = w[j * SIDE + j];
bool kept = !(own <= g[first + j * SIDE + j] * least[0]);
double scale = kept ? 1 / sqrt(own) : 0.0;
for (uint i = 0; i < SIDE; i++) {
    double d = w[i * SIDE + i];
    bool keptRow = !(d <= g[first + i * SIDE + i] * least[0]);
    double rowScale = keptRow ? 1 / sqrt(d) : 0.0;
    r[first + i * SIDE + j] = i <= j ? w[i * SIDE + j] * rowScale : 0.0;
    x[first + i * SIDE + j] = i <= j ? (i == j ? 1.0 : w[j * SIDE + i]) * scale : 0.0;
    lost[first + i * SIDE + j] = i == j && !kept ? 1.0 : 0.0;
}
