// A cascade of recursive filters, a thread for each line: every section in the
// transposed direct form II, its state in double whatever the samples are.
// c is (sections, 2, order + 1): what multiplies inputs, then outputs.
uint line = thread_position_in_grid.x;
int n = x_shape[1];
int sections = c_shape[0];
int taps = c_shape[2];
int order = taps - 1;
long at = long(line) * n;
long z = long(line) * sections * order;
for (int i = 0; i < sections * order; i++)
    zf[z + i] = zi[z + i];
for (int t = 0; t < n; t++) {
    double v = double(x[at + t]);
    for (int s = 0; s < sections; s++) {
        long u = z + s * order;
        int b = 2 * s * taps;
        int a = b + taps;
        double out = c[b] * v + zf[u];
        for (int k = 1; k < order; k++)
            zf[u + k - 1] = c[b + k] * v - c[a + k] * out + zf[u + k];
        zf[u + order - 1] = c[b + order] * v - c[a + order] * out;
        v = out;
    }
    y[at + t] = T(v);
}
