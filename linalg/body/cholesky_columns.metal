// A step of Cholesky of w (batch, n, n), lower triangles: v is w with COUNT columns of the factor from
// from[0] on, and without what they explain behind them; above the diagonal it is zero. missed is
// lost with a 1 where a pivot is not positive. A threadgroup makes 64 rows of 64 columns, and factors
// and solves what these need by itself, which is sooner done than shared.
threadgroup double low[COUNT * 2 * COUNT]; // columns of the block on the diagonal, and zeros
threadgroup double by[COUNT];              // 1 / the root of a pivot
threadgroup double left[64 * (COUNT + 1)]; // the factor's rows for the rows of the tile
threadgroup double right[64 * (COUNT + 1)]; // and for its columns
int tid = thread_position_in_threadgroup.x;
int batch = threadgroup_position_in_grid.z;
int n = w_shape[1];
int k0 = from[0];
int rowFirst = threadgroup_position_in_grid.y * 64;
int columnFirst = threadgroup_position_in_grid.x * 64;
long corner = long(batch) * n * n;
for (int e = tid; e < COUNT * 2 * COUNT; e += 256) {
    int i = e % (2 * COUNT);
    int j = e / (2 * COUNT);
    low[e] = i < COUNT && i >= j && k0 + i < n ? double(w[corner + long(k0 + i) * n + k0 + j]) : 0.0;
}
threadgroup_barrier(mem_flags::mem_threadgroup);
for (int s = 0; s < COUNT; s++) {
    double d = low[(2 * COUNT + 1) * s];
    double lift = d < 1e-300 ? 1267650600228229401496703205376.0 : 1.0; // 2^100 where 1 / d would be infinite
    double over = d <= 0 ? 0.0 : 1 / (d * lift);
    if (tid == s)
        by[s] = d <= 0 ? 0.0 : 1 / sqrt(d);
    for (int e = tid; e < COUNT * COUNT; e += 256) {
        int i = e % COUNT;
        int j = e / COUNT;
        if (j > s && i >= j)
            low[2 * COUNT * j + i] = fma(-low[2 * COUNT * s + i] * over * lift, low[2 * COUNT * s + j], low[2 * COUNT * j + i]);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
}
if (threadgroup_position_in_grid.x == 0 && threadgroup_position_in_grid.y == 0) {
    for (int i = tid; i < n; i += 256) {
        bool own = i >= k0 && i < k0 + COUNT;
        missed[batch * n + i] = own && low[(2 * COUNT + 1) * (own ? i - k0 : 0)] <= 0 ? 1.0 : lost[batch * n + i];
    }
}
// Columns of the block by the roots of their pivots. Those of the factor's diagonal are the roots.
double scaled[2 * COUNT * COUNT / 256 + 1];
for (int e = 0; e < 2 * COUNT * COUNT / 256; e++) {
    int f = tid + 256 * e;
    scaled[e] = low[f] * by[f / (2 * COUNT)];
}
threadgroup_barrier(mem_flags::mem_threadgroup);
for (int e = 0; e < 2 * COUNT * COUNT / 256; e++)
    low[tid + 256 * e] = scaled[e];
threadgroup_barrier(mem_flags::mem_threadgroup);
if (tid < 128) {
    int r = tid % 64;
    int i = (tid < 64 ? rowFirst : columnFirst) + r;
    double u[COUNT];
    for (int s = 0; s < COUNT; s++)
        u[s] = i < n && i >= k0 + COUNT && k0 + s < n ? double(w[corner + long(i) * n + k0 + s]) : 0.0;
    // The number in use is always the first: those that are solved go to the end.
    for (int s = 0; s < COUNT; s++) {
        double d = u[0] * by[s];
        for (int t = 0; t + 1 < COUNT; t++)
            u[t] = fma(-low[(2 * COUNT + 1) * s + t + 1], d, u[t + 1]);
        u[COUNT - 1] = d;
    }
    for (int s = 0; s < COUNT; s++) {
        if (tid < 64)
            left[r * (COUNT + 1) + s] = double(T(u[s]));
        else
            right[r * (COUNT + 1) + s] = double(T(u[s]));
    }
}
threadgroup_barrier(mem_flags::mem_threadgroup);
int j = columnFirst + tid % 64;
bool own = j >= k0 && j < k0 + COUNT;
// Four rows at once, so that none waits for the others' memory.
for (int r = tid / 64; r < 64; r += 16) {
    double x[4];
    for (int e = 0; e < 4; e++) {
        int i = rowFirst + r + 4 * e;
        x[e] = i < n && j <= i && !own ? double(w[corner + long(i) * n + j]) : 0.0;
    }
    if (j >= k0 + COUNT) {
        for (int s = 0; s < COUNT; s++) {
            double f = right[(tid % 64) * (COUNT + 1) + s];
            for (int e = 0; e < 4; e++)
                x[e] = fma(-left[(r + 4 * e) * (COUNT + 1) + s], f, x[e]);
        }
    }
    for (int e = 0; e < 4; e++) {
        int i = rowFirst + r + 4 * e;
        if (own && i < k0 + COUNT && i >= k0)
            x[e] = low[2 * COUNT * (j - k0) + i - k0];
        else if (own)
            x[e] = left[(r + 4 * e) * (COUNT + 1) + j - k0];
        if (i < n && j < n)
            v[corner + long(i) * n + j] = T(j <= i ? x[e] : 0.0);
    }
}
