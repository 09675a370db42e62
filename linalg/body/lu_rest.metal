// What follows lu_columns: v is w with its rows in their new order, the columns p (batch, count, rows) in their place, and the rows and
// columns behind them without what these explain. next is the columns that follow, as rows, if there are any; done is which row of the
// whole came where. A threadgroup makes 64 rows of 64 columns, a thread 8 of 2.
threadgroup double low[COUNT * 2 * COUNT]; // columns of the triangle, and zeros
threadgroup double left[COUNT * 64];       // columns of p
threadgroup double top[COUNT * 64];        // rows that are solved for
int tid = thread_position_in_threadgroup.x;
int batch = threadgroup_position_in_grid.z;
int m = w_shape[1];
int n = w_shape[2];
int count = p_shape[1];
int rows = p_shape[2];
int k0 = m - rows;
int k1 = k0 + count;
int follow = min(COUNT, n - k1);
int rowFirst = threadgroup_position_in_grid.y * 64;
int columnFirst = threadgroup_position_in_grid.x * 64;
int r0 = tid / 32 * 8;
long corner = long(batch) * m;
// Rows come from below k0 or stay, so that numbers can be asked for at once.
T x[2][8];
for (int r = 0; r < 8; r++) {
    int i = rowFirst + r0 + r;
    int from = i < k0 || i >= m ? i : k0 + order[batch * rows + i - k0];
    for (int h = 0; h < 2; h++) {
        int c = columnFirst + tid % 32 + 32 * h;
        x[h][r] = i < m && c < n ? w[(corner + from) * n + c] : T(0);
    }
}
double y[2][8];
for (int r = 0; r < 8; r++) {
    for (int h = 0; h < 2; h++)
        y[h][r] = double(x[h][r]);
}
bool acts = rowFirst + 64 > k0 && columnFirst + 64 > k0;
if (acts) {
    for (int e = tid; e < COUNT * 64; e += 256) {
        int i = rowFirst + e % 64;
        left[e] = e / 64 < count && i >= k0 && i < m ? double(p[(long(batch) * count + e / 64) * rows + i - k0]) : 0.0;
    }
    for (int e = tid; e < COUNT * 2 * COUNT; e += 256) {
        int i = e % (2 * COUNT);
        int j = e / (2 * COUNT);
        low[e] = i < count && j < count ? double(p[(long(batch) * count + j) * rows + i]) : 0.0;
    }
    int c = columnFirst + tid % 64;
    bool solves = tid < 64 && c >= k1 && c < n;
    double u[COUNT];
    for (int s = 0; s < COUNT; s++)
        u[s] = solves && s < count ? double(w[(corner + k0 + order[batch * rows + min(s, rows - 1)]) * n + c]) : 0.0;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (tid < 64) {
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
                u[s] = solves && s < count ? double(w[(corner + k0 + order[batch * rows + min(s, rows - 1)]) * n + c]) : 0.0;
            for (int s = 0; s < COUNT; s++) {
                double d = u[0];
                for (int t = 0; t + 1 < COUNT; t++)
                    u[t] = s + t + 1 < COUNT ? fma(-low[(2 * COUNT + 1) * s + t + 1], d, u[t + 1]) : u[t + 1];
                u[COUNT - 1] = d;
            }
        }
        for (int s = 0; s < COUNT; s++)
            top[64 * s + tid] = u[s];
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (int s = 0; s < COUNT; s++) {
        for (int h = 0; h < 2; h++) {
            double f = top[64 * s + tid % 32 + 32 * h];
            for (int r = 0; r < 8; r++)
                y[h][r] = fma(-left[64 * s + r0 + r], f, y[h][r]);
        }
    }
}
for (int r = 0; r < 8; r++) {
    int i = rowFirst + r0 + r;
    for (int h = 0; h < 2; h++) {
        int c = columnFirst + tid % 32 + 32 * h;
        T z = i >= k1 && c >= k1 ? T(y[h][r]) : x[h][r];
        if (i >= k0 && c >= k0 && c < k1)
            z = T(left[64 * (c - k0) + r0 + r]);
        else if (i >= k0 && i < k1 && c >= k1)
            z = T(top[64 * (i - k0) + c - columnFirst]);
        if (i < m && c < n) {
            v[(corner + i) * n + c] = z;
            if (i >= k1 && c >= k1 && c < k1 + follow)
                next[(long(batch) * follow + c - k1) * (rows - count) + i - k1] = z;
        }
    }
}
int i = rowFirst + tid;
if (threadgroup_position_in_grid.x == 0 && tid < 64 && i < m)
    done[batch * m + i] = whole[batch * m + (i < k0 ? i : k0 + order[batch * rows + i - k0])];
if (k1 == n && threadgroup_position_in_grid.x == 0 && threadgroup_position_in_grid.y == 0 && tid == 0)
    next[batch] = T(0);
