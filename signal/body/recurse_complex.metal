// A recursive filter with complex coefficients, a thread for each line, in the
// transposed direct form II with its state in double; BACK is its transpose, where
// time runs backwards. x is (lines, samples, 2), c is (2, order + 1, 2): what
// multiplies inputs, then outputs. Parts of numbers lie next to each other.
uint line = thread_position_in_grid.x;
int n = x_shape[1];
int taps = c_shape[1];
int order = taps - 1;
long at = 2 * long(line) * n;
long z = 2 * long(line) * order;
for (int i = 0; i < 2 * order; i++)
    zf[z + i] = zi[z + i];
for (int s = 0; s < n; s++) {
    long t = at + 2 * (BACK == 1 ? n - 1 - s : s);
    double re = double(x[t]);
    double im = double(x[t + 1]);
    if (BACK == 1) {
        for (int k = 1; k <= order; k++) {
            int a = 2 * (taps + k);
            long u = z + 2 * (k - 1);
            re -= c[a] * zf[u] + c[a + 1] * zf[u + 1];
            im -= c[a] * zf[u + 1] - c[a + 1] * zf[u];
        }
        double vre = c[0] * re + c[1] * im;
        double vim = c[0] * im - c[1] * re;
        for (int k = order; k > 0; k--) {
            long u = z + 2 * (k - 1);
            vre += c[2 * k] * zf[u] + c[2 * k + 1] * zf[u + 1];
            vim += c[2 * k] * zf[u + 1] - c[2 * k + 1] * zf[u];
            if (k > 1) {
                zf[u] = zf[u - 2];
                zf[u + 1] = zf[u - 1];
            }
        }
        zf[z] = re;
        zf[z + 1] = im;
        y[t] = T(vre);
        y[t + 1] = T(vim);
    } else {
        double vre = c[0] * re - c[1] * im + zf[z];
        double vim = c[0] * im + c[1] * re + zf[z + 1];
        for (int k = 1; k <= order; k++) {
            long u = z + 2 * (k - 1);
            int a = 2 * (taps + k);
            double nre = k < order ? zf[u + 2] : 0.0;
            double nim = k < order ? zf[u + 3] : 0.0;
            zf[u] = c[2 * k] * re - c[2 * k + 1] * im - c[a] * vre + c[a + 1] * vim + nre;
            zf[u + 1] = c[2 * k] * im + c[2 * k + 1] * re - c[a] * vim - c[a + 1] * vre + nim;
        }
        y[t] = T(vre);
        y[t + 1] = T(vim);
    }
}
