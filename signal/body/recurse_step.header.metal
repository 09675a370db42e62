// One sample through a cascade in the transposed direct form II: w is its coefficients,
// (sections, 2, order + 1), and z its state, both in registers.
double forwards(thread double* z, thread const double* w, double v) {
    for (int s = 0; s < SECTIONS; s++) {
        int u = s * ORDER;
        int b = 2 * s * (ORDER + 1);
        int a = b + ORDER + 1;
        double out = fma(w[b], v, z[u]);
        for (int k = 1; k < ORDER; k++)
            z[u + k - 1] = fma(-w[a + k], out, fma(w[b + k], v, z[u + k]));
        z[u + ORDER - 1] = fma(-w[a + ORDER], out, w[b + ORDER] * v);
        v = out;
    }
    return v;
}
// The transpose of forwards.
double backwards(thread double* z, thread const double* w, double v) {
    for (int t = 0; t < SECTIONS; t++) {
        int s = SECTIONS - 1 - t;
        int u = s * ORDER;
        int b = 2 * s * (ORDER + 1);
        int a = b + ORDER + 1;
        double in = v;
        for (int k = ORDER; k > 0; k--)
            in = fma(-w[a + k], z[u + k - 1], in);
        v = w[b] * in;
        for (int k = ORDER; k > 0; k--) {
            v = fma(w[b + k], z[u + k - 1], v);
            if (k > 1)
                z[u + k - 1] = z[u + k - 2];
        }
        z[u] = in;
    }
    return v;
}
