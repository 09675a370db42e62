// The transpose of recurse: what a change of outputs and of the last state says
// about inputs and the first state. Time and sections run backwards.
uint line = thread_position_in_grid.x;
int n = x_shape[1];
int sections = c_shape[0];
int taps = c_shape[2];
int order = taps - 1;
long at = long(line) * n;
long z = long(line) * sections * order;
for (int i = 0; i < sections * order; i++)
    zf[z + i] = zi[z + i];
for (int t = n - 1; t >= 0; t--) {
    double v = double(x[at + t]);
    for (int s = sections - 1; s >= 0; s--) {
        long u = z + s * order;
        int b = 2 * s * taps;
        int a = b + taps;
        double in = v;
        for (int k = 1; k <= order; k++)
            in -= c[a + k] * zf[u + k - 1];
        v = c[b] * in;
        for (int k = order; k > 0; k--) {
            v += c[b + k] * zf[u + k - 1];
            if (k > 1)
                zf[u + k - 1] = zf[u + k - 2];
        }
        zf[u] = in;
    }
    y[at + t] = T(v);
}
