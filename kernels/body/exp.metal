uint i = thread_position_in_grid.x;
y[i] = exp(x[i]);
