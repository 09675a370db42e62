// c = Q^T v: one thread per column, so that neighbours read neighbours.
uint j = thread_position_in_grid.x;
uint rows = q_shape[0];
uint columns = q_shape[1];
float s = 0;
for (uint i = 0; i < rows; i++)
    s = fma(q[i * columns + j], v[i], s);
c[j] = s;
