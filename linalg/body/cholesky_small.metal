// Cholesky of matrices w (batch, n, n) of up to COUNT rows, of which lower triangles are read: v is the factors, and missed, (batch, n), is
// 1 where a pivot is not positive. A thread keeps a row in registers. The column in use is always the first of them: columns turn
// by one with each step, so that no index depends on the step.
threadgroup double heads[4 * COUNT]; // the column in use, and zeros, twice
threadgroup double by[COUNT];        // 1 / the root of a pivot
int i = thread_position_in_threadgroup.x;
int batch = threadgroup_position_in_grid.x;
int n = w_shape[1];
long row = (long(batch) * n + i) * n;
T loaded[COUNT]; // all are asked for before the first is waited for
for (int c = 0; c < COUNT; c++)
    loaded[c] = c <= i && i < n ? w[row + c] : T(0);
double own[COUNT];
for (int c = 0; c < COUNT; c++)
    own[c] = double(loaded[c]);
heads[COUNT + i] = 0;
heads[3 * COUNT + i] = 0;
double pivot = 0;
for (int s = 0; s < COUNT; s++) {
    int head = 2 * COUNT * (s & 1);
    heads[head + i] = own[0];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    double d = heads[head + s];
    double lift = d < 1e-300 ? 1267650600228229401496703205376.0 : 1.0; // 2^100 where 1 / d would be infinite
    double over = d <= 0 ? 0.0 : 1 / (d * lift);
    double kept = own[0];
    double factor = i > s ? kept * over * lift : 0.0;
    pivot = i == s ? d : pivot;
    for (int c = 0; c + 1 < COUNT; c++)
        own[c] = fma(-factor, heads[head + s + c + 1], own[c + 1]);
    own[COUNT - 1] = kept;
}
by[i] = pivot <= 0 ? 0.0 : 1 / sqrt(pivot);
threadgroup_barrier(mem_flags::mem_threadgroup);
if (i < n) {
    for (int c = 0; c < COUNT; c++) {
        if (c < n)
            v[row + c] = T(c <= i ? own[c] * by[c] : 0.0);
    }
    missed[batch * n + i] = pivot <= 0 ? T(1) : T(0);
}
