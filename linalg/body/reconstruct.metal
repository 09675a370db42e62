// The Householder form of orthonormal columns, from their first SIDE rows q, by
// SIDE threads: with signs s that keep every pivot above 1,
// q - diag(s) = low up without exchanges. Gauss-Jordan elimination in place
// gives all that is needed:
//
//	low      the unit lower factor
//	rows     up, and below its diagonal the inverse of low
//	inverse  of q - diag(s)
threadgroup double w[SIDE * SIDE];
uint j = thread_position_in_threadgroup.x;
uint first = threadgroup_position_in_grid.z * SIDE * SIDE;
for (uint i = 0; i < SIDE; i++)
    w[i * SIDE + j] = q[first + i * SIDE + j];
threadgroup_barrier(mem_flags::mem_threadgroup);
for (uint k = 0; k < SIDE; k++) {
    double d = w[k * SIDE + k];
    double s = d < 0 ? 1.0 : -1.0;
    d -= s;
    double by = 1 / d;
    double row = w[k * SIDE + j];
    double column = w[j * SIDE + k] * by;
    low[first + j * SIDE + k] = j < k ? 0.0 : j == k ? 1.0 : column;
    rows[first + k * SIDE + j] = j == k ? d : row;
    sign[first + k * SIDE + j] = j == k ? s : 0.0;
    row *= by;
    if (j != k) {
        for (uint i = 0; i < SIDE; i++) {
            if (i != k)
                w[i * SIDE + j] -= w[i * SIDE + k] * row;
        }
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    w[k * SIDE + j] = j == k ? by : row;
    if (j != k)
        w[j * SIDE + k] = -column;
    threadgroup_barrier(mem_flags::mem_threadgroup);
}
for (uint i = 0; i < SIDE; i++)
    inverse[first + i * SIDE + j] = w[i * SIDE + j];
