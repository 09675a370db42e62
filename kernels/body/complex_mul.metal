uint i = thread_position_in_grid.x;
float2 p = a[i];
float2 q = b[i];
y[i] = float2(p.x * q.x - p.y * q.y, p.x * q.y + p.y * q.x);
