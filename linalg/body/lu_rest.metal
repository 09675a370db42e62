// What follows lu_columns: v is w with its rows in their new order, the columns p in their place, and
// the rows and columns behind them without what these explain; done is which row of the whole
// came where. A threadgroup makes 64 rows of 64 columns. Each of its threads solves for a column of the
// rows of p's triangle by itself, which is sooner done than shared.
threadgroup double low[COUNT * 2 * COUNT]; // columns of the triangle, and zeros
threadgroup double left[64 * COUNT];   // rows of p below it
threadgroup int source[64];
threadgroup int tops[COUNT];
int tid = thread_position_in_threadgroup.x;
int batch = threadgroup_position_in_grid.z;
int m = w_shape[1];
int n = w_shape[2];
int rows = p_shape[1];
int k0 = m - rows;
int first = threadgroup_position_in_grid.y * 64;
int c = threadgroup_position_in_grid.x * 64 + tid % 64;
for (int e = tid; e < 64 * COUNT; e += 256) {
    int i = first + e / COUNT;
    left[e] = i >= k0 + COUNT && i < m ? double(p[(long(batch) * rows + i - k0) * COUNT + e % COUNT]) : 0.0;
}
for (int e = tid; e < COUNT * 2 * COUNT; e += 256) {
    int i = e % (2 * COUNT);
    low[e] = i < COUNT && i < rows ? double(p[(long(batch) * rows + i) * COUNT + e / (2 * COUNT)]) : 0.0;
}
if (tid < 64) {
    int i = first + tid;
    source[tid] = i < k0 || i >= m ? i : k0 + order[batch * rows + i - k0];
}
if (tid < COUNT)
    tops[tid] = tid < rows ? k0 + order[batch * rows + tid] : 0;
threadgroup_barrier(mem_flags::mem_threadgroup);
bool right = c >= k0 + COUNT && c < n;
double u[COUNT];
for (int s = 0; s < COUNT; s++)
    u[s] = right && s < rows ? double(w[(long(batch) * m + tops[s]) * n + c]) : 0.0;
// The number in use is always the first: those that are solved go to the end.
bool finite = true;
for (int s = 0; s < COUNT; s++) {
    double d = u[0];
    finite = finite && d - d == 0;
    for (int t = 0; t + 1 < COUNT; t++)
        u[t] = fma(-low[(2 * COUNT + 1) * s + t + 1], d, u[t + 1]);
    u[COUNT - 1] = d;
}
if (!finite) { // zeros have made NaN of what was solved
    for (int s = 0; s < COUNT; s++)
        u[s] = right && s < rows ? double(w[(long(batch) * m + tops[s]) * n + c]) : 0.0;
    for (int s = 0; s < COUNT; s++) {
        double d = u[0];
        for (int t = 0; t + 1 < COUNT; t++)
            u[t] = s + t + 1 < COUNT ? fma(-low[(2 * COUNT + 1) * s + t + 1], d, u[t + 1]) : u[t + 1];
        u[COUNT - 1] = d;
    }
}
// Four rows at once, so that none waits for the others' memory. COUNT divides where bands of 16 begin.
for (int band = 0; band < 64; band += 16) {
    int top = first + band;
    int r = band + tid / 64;
    double x[4];
    for (int e = 0; e < 4; e++)
        x[e] = first + r + 4 * e < m && c < n ? double(w[(long(batch) * m + source[r + 4 * e]) * n + c]) : 0.0;
    if (right && top >= k0 + COUNT) {
        for (int s = 0; s < COUNT; s++) {
            for (int e = 0; e < 4; e++)
                x[e] = fma(-left[(r + 4 * e) * COUNT + s], u[s], x[e]);
        }
    }
    for (int e = 0; e < 4; e++) {
        int i = first + r + 4 * e;
        if (i < m && c < n && (!right || i < k0 || i >= k0 + COUNT)) {
            bool own = !right && c >= k0 && i >= k0;
            v[(long(batch) * m + i) * n + c] = own ? p[(long(batch) * rows + i - k0) * COUNT + c - k0] : T(x[e]);
        }
    }
}
for (int s = 0; s < COUNT; s++) {
    int i = k0 + s;
    if (right && i >= first && i < first + 64 && i < m && s % 4 == tid / 64)
        v[(long(batch) * m + i) * n + c] = T(u[s]);
}
if (threadgroup_position_in_grid.x == 0 && tid < 64 && first + tid < m)
    done[batch * m + first + tid] = whole[batch * m + source[tid]];
