// A step of Cholesky of w (batch, n, n), lower triangles: the block on the diagonal of the COUNT columns from from[0] on is factored. v is w with
// what is below it in these columns of the factor, without what they explain behind them, and with the next block on the diagonal
// factored; above the diagonal it is zero. missed is lost with a 1 where a pivot of that block is not positive. A threadgroup makes
// 64 rows of 64 columns, a thread 8 of 2; one behind them makes the block meanwhile, which takes as long.
threadgroup double low[COUNT * 2 * COUNT]; // columns of the block, and zeros
threadgroup double by[COUNT];              // 1 / its diagonal
threadgroup double left[COUNT * 66];       // the factor's columns at the rows of the tile
threadgroup double right[COUNT * 66];      // and at its columns
threadgroup double heads[4 * COUNT];       // the column in use of the next block, and zeros, twice
int tid = thread_position_in_threadgroup.x;
int batch = threadgroup_position_in_grid.z;
int n = w_shape[1];
int k0 = from[0];
int k1 = k0 + COUNT;
bool block = int(threadgroup_position_in_grid.y) * 64 >= n;
int rowFirst = block ? k1 : int(threadgroup_position_in_grid.y) * 64;
int columnFirst = block ? k1 : int(threadgroup_position_in_grid.x) * 64;
int r0 = tid / 32 * 8;
long corner = long(batch) * n * n;
bool works = block ? threadgroup_position_in_grid.x == 0 : columnFirst <= rowFirst;
bool acts = works && k0 >= 0 && rowFirst + 64 > k1 && columnFirst + 64 > k0;
// Numbers are asked for at once.
T x[2][8];
for (int r = 0; r < 8; r++) {
    int i = rowFirst + r0 + r;
    for (int h = 0; h < 2; h++) {
        int j = columnFirst + tid % 32 + 32 * h;
        x[h][r] = works && !block && i < n && j <= i ? w[corner + long(i) * n + j] : T(0);
    }
}
int bi = k1 + tid / COUNT;
int bj = k1 + tid % COUNT;
double z = block && works && bi < n && bj <= bi ? double(w[corner + long(bi) * n + bj]) : 0.0;
double y[2][8];
for (int r = 0; r < 8; r++) {
    for (int h = 0; h < 2; h++)
        y[h][r] = double(x[h][r]);
}
if (acts) {
    for (int e = tid; e < COUNT * 2 * COUNT; e += 256) {
        int i = e % (2 * COUNT);
        int j = e / (2 * COUNT);
        double f = i < COUNT && i >= j ? double(w[corner + long(k0 + i) * n + k0 + j]) : 0.0;
        low[e] = f;
        if (i == j)
            by[j] = f == 0 ? 0.0 : 1 / f;
    }
    for (int e = tid; e < 64 * COUNT; e += 256) {
        int r = e / COUNT;
        int s = e % COUNT;
        int i = rowFirst + r;
        int j = columnFirst + r;
        left[66 * s + r] = i < n && i >= k1 ? double(w[corner + long(i) * n + k0 + s]) : 0.0;
        right[66 * s + r] = j < n && j >= k1 ? double(w[corner + long(j) * n + k0 + s]) : 0.0;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (tid < 128) {
        int r = tid % 64;
        double u[COUNT];
        for (int s = 0; s < COUNT; s++)
            u[s] = tid < 64 ? left[66 * s + r] : right[66 * s + r];
        // The number in use is always the first: those that are solved go to the end.
        for (int s = 0; s < COUNT; s++) {
            double d = u[0] * by[s];
            for (int t = 0; t + 1 < COUNT; t++)
                u[t] = fma(-low[(2 * COUNT + 1) * s + t + 1], d, u[t + 1]);
            u[COUNT - 1] = d;
        }
        for (int s = 0; s < COUNT; s++) {
            if (tid < 64)
                left[66 * s + r] = double(T(u[s]));
            else
                right[66 * s + r] = double(T(u[s]));
        }
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (block) {
        for (int s = 0; s < COUNT; s++)
            z = fma(-left[66 * s + tid / COUNT], right[66 * s + tid % COUNT], z);
    } else {
        for (int s = 0; s < COUNT; s++) {
            for (int h = 0; h < 2; h++) {
                double f = right[66 * s + tid % 32 + 32 * h];
                for (int r = 0; r < 8; r++)
                    y[h][r] = fma(-left[66 * s + r0 + r], f, y[h][r]);
            }
        }
    }
}
if (block && works) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    left[66 * (tid % COUNT) + tid / COUNT] = z;
    if (tid < 2 * COUNT) {
        heads[tid] = 0;
        heads[2 * COUNT + tid] = 0;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    // A thread keeps a row. The column in use is the first.
    double own[COUNT];
    for (int c = 0; c < COUNT; c++)
        own[c] = tid < COUNT ? left[66 * c + tid] : 0.0;
    double pivot = 0;
    for (int s = 0; s < COUNT; s++) {
        int head = 2 * COUNT * (s & 1);
        if (tid < COUNT)
            heads[head + tid] = own[0];
        threadgroup_barrier(mem_flags::mem_threadgroup);
        if (tid < COUNT) {
            double d = heads[head + s];
            double lift = d < 1e-300 ? 1267650600228229401496703205376.0 : 1.0; // 2^100 where 1 / d would be infinite
            double over = d <= 0 ? 0.0 : 1 / (d * lift);
            double kept = own[0];
            double factor = tid > s ? kept * over * lift : 0.0;
            pivot = tid == s ? d : pivot;
            for (int c = 0; c + 1 < COUNT; c++)
                own[c] = fma(-factor, heads[head + s + c + 1], own[c + 1]);
            own[COUNT - 1] = kept;
        }
    }
    if (tid < COUNT)
        by[tid] = pivot <= 0 ? 0.0 : 1 / sqrt(pivot);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (tid < COUNT && k1 + tid < n) {
        for (int c = 0; c < COUNT; c++) {
            if (k1 + c < n)
                v[corner + long(k1 + tid) * n + k1 + c] = T(c <= tid ? own[c] * by[c] : 0.0);
        }
        missed[batch * n + k1 + tid] = pivot <= 0 ? T(1) : T(0);
    }
    for (int i = tid; i < n; i += 256) {
        if (i < k1 || i >= k1 + COUNT)
            missed[batch * n + i] = lost[batch * n + i];
    }
}
if (!block) {
    for (int r = 0; r < 8; r++) {
        int i = rowFirst + r0 + r;
        for (int h = 0; h < 2; h++) {
            int j = columnFirst + tid % 32 + 32 * h;
            T a = acts && i >= k1 && j >= k1 && j <= i ? T(y[h][r]) : x[h][r];
            if (acts && i >= k1 && j >= k0 && j < k1)
                a = T(left[66 * (j - k0) + r0 + r]);
            bool next = i >= k1 && i < k1 + COUNT && j >= k1 && j < k1 + COUNT;
            if (i < n && j < n && !next)
                v[corner + long(i) * n + j] = a;
        }
    }
}
