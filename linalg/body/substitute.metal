// Forward substitution: x solves l x = b, a thread for each column of b. SIDE
// is the number of rows; UNIT takes the diagonal of l as ones.
threadgroup double w[SIDE * LANES];
uint lane = thread_position_in_threadgroup.x;
uint columns = b_shape[2];
uint batch = threadgroup_position_in_grid.z;
uint corner = batch * SIDE * SIDE;
uint at = batch * SIDE * columns + threadgroup_position_in_grid.x * LANES + lane;
for (uint i = 0; i < SIDE; i++)
    w[i * LANES + lane] = b[at + i * columns];
for (uint k = 0; k < SIDE; k++) {
    double found = w[k * LANES + lane];
    if (!UNIT)
        found /= double(l[corner + k * SIDE + k]);
    x[at + k * columns] = T(found);
    for (uint i = k + 1; i < SIDE; i++)
        w[i * LANES + lane] -= double(l[corner + i * SIDE + k]) * found;
}
