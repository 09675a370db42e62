// A step of forward substitution with l (batch, n, n): x is b (batch, n, k), of which COUNT rows from from[0]
// on are solved, and taken out of those below. UNIT takes the diagonal of l as ones. A
// threadgroup makes ROWS rows of WIDTH columns. Each of its threads solves for a column by itself, which is
// sooner done than shared.
threadgroup double low[COUNT * COUNT + 1]; // columns of l, and a zero
threadgroup double left[ROWS * COUNT];     // rows of l below them
threadgroup double by[COUNT];
threadgroup double lift[COUNT]; // 2^100 where 1 / v would be infinite
int tid = thread_position_in_threadgroup.x;
int batch = threadgroup_position_in_grid.z;
int n = b_shape[1];
int k = b_shape[2];
int k0 = from[0];
int first = threadgroup_position_in_grid.y * ROWS;
int c = threadgroup_position_in_grid.x * WIDTH + tid % WIDTH;
for (int e = tid; e < COUNT * COUNT; e += 256) {
    int i = k0 + e % COUNT;
    int j = k0 + e / COUNT;
    double v = i < n && j < n && j <= i ? double(l[(long(batch) * n + i) * n + j]) : 0.0;
    low[e] = v;
    if (i == j) {
        double up = !UNIT && fabs(v) < 1e-300 ? 1267650600228229401496703205376.0 : 1.0;
        lift[e / COUNT] = up;
        by[e / COUNT] = UNIT || i >= n ? 1.0 : 1 / (v * up);
    }
}
if (tid == 0)
    low[COUNT * COUNT] = 0;
for (int e = tid; e < ROWS * COUNT; e += 256) {
    int i = first + e / COUNT;
    left[e] = i >= k0 + COUNT && i < n ? double(l[(long(batch) * n + i) * n + k0 + e % COUNT]) : 0.0;
}
threadgroup_barrier(mem_flags::mem_threadgroup);
double u[COUNT];
for (int s = 0; s < COUNT; s++)
    u[s] = c < k && k0 + s < n ? double(b[(long(batch) * n + k0 + s) * k + c]) : 0.0;
// The number in use is always the first: those that are solved go to the end.
bool finite = true;
for (int s = 0; s < COUNT; s++) {
    double d = u[0] * by[s] * lift[s];
    finite = finite && d - d == 0;
    for (int t = 0; t + 1 < COUNT; t++)
        u[t] = fma(-low[s + t + 1 < COUNT ? (COUNT + 1) * s + t + 1 : COUNT * COUNT], d, u[t + 1]);
    u[COUNT - 1] = d;
}
if (!finite) { // the zero has made NaN of what was solved
    for (int s = 0; s < COUNT; s++)
        u[s] = c < k && k0 + s < n ? double(b[(long(batch) * n + k0 + s) * k + c]) : 0.0;
    for (int s = 0; s < COUNT; s++) {
        double d = u[0] * by[s] * lift[s];
        for (int t = 0; t + 1 < COUNT; t++)
            u[t] = s + t + 1 < COUNT ? fma(-low[(COUNT + 1) * s + t + 1], d, u[t + 1]) : u[t + 1];
        u[COUNT - 1] = d;
    }
}
for (int r = tid / WIDTH; r < ROWS; r += 256 / WIDTH) {
    int i = first + r;
    if (i < n && c < k && (i < k0 || i >= k0 + COUNT)) {
        double v = double(b[(long(batch) * n + i) * k + c]);
        if (i >= k0) {
            for (int s = 0; s < COUNT; s++)
                v = fma(-left[r * COUNT + s], u[s], v);
        }
        x[(long(batch) * n + i) * k + c] = T(v);
    }
}
for (int s = 0; s < COUNT; s++) {
    int r = k0 + s - first;
    if (c < k && r >= 0 && r < ROWS && k0 + s < n && r % (256 / WIDTH) == tid / WIDTH)
        x[(long(batch) * n + k0 + s) * k + c] = T(u[s]);
}
