// substitute for complex numbers, all in double.
threadgroup double2 w[SIDE * LANES];
uint lane = thread_position_in_threadgroup.x;
uint columns = zb_shape[2];
uint batch = threadgroup_position_in_grid.z;
uint corner = batch * SIDE * SIDE;
uint at = batch * SIDE * columns + threadgroup_position_in_grid.x * LANES + lane;
for (uint i = 0; i < SIDE; i++)
    w[i * LANES + lane] = zb[at + i * columns];
for (uint k = 0; k < SIDE; k++) {
    double2 v = w[k * LANES + lane];
    double2 d = UNIT ? double2(1.0, 0.0) : zl[corner + k * SIDE + k];
    // Divided by the larger part first, no square overflows or vanishes.
    double big = max(fabs(d.x), fabs(d.y));
    double x = d.x / big;
    double y = d.y / big;
    double by = 1 / (x * x + y * y);
    double re = (v.x * x + v.y * y) * by / big;
    double im = (v.y * x - v.x * y) * by / big;
    z[at + k * columns] = double2(re, im);
    for (uint i = k + 1; i < SIDE; i++) {
        double2 l = zl[corner + i * SIDE + k];
        double2 u = w[i * LANES + lane];
        w[i * LANES + lane] = double2(u.x - (l.x * re - l.y * im), u.y - (l.x * im + l.y * re));
    }
}
