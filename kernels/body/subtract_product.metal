// y = v - Q c: one thread per row.
uint i = thread_position_in_grid.x;
uint columns = q_shape[1];
float s = v[i];
for (uint j = 0; j < columns; j++)
    s = fma(-q[i * columns + j], c[j], s);
y[i] = s;
