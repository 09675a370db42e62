// A filter with a finite impulse response, a thread for each output: those of the
// samples, and behind them the state after the samples, which is what the filter
// would give without further input. Sums are in double, from the last tap on.
uint t = thread_position_in_grid.x;
uint line = thread_position_in_grid.y;
uint n = x_shape[1];
uint order = b_shape[0] - 1;
double v = 0.0;
if (t < order)
    v = zi[long(line) * order + t];
uint last = min(order, t);
uint least = t < n ? 0 : t - n + 1;
for (uint k = last + 1; k > least; k--)
    v = b[k - 1] * double(x[long(line) * n + (t - k + 1)]) + v;
if (t < n)
    y[long(line) * n + t] = T(v);
else
    zf[long(line) * order + (t - n)] = v;
