// recurse, and with BACK recurse_back, by a thread for each block of samples: zi is the state
// before each block, and zf the state after the last of each line. Samples are read and written
// as in recurse_ends.
threadgroup T tile[32 * 33];
threadgroup long starts[32]; // where blocks begin
threadgroup int sizes[32];
int lane = thread_position_in_threadgroup.x;
int n = x_shape[1];
int blocks = (n - 1) / SAMPLES + 1;
int me = thread_position_in_grid.x;
int line = me / blocks; //twiddle:ignore TWK01 once for a thread, which goes through SAMPLES samples
int done = (me % blocks) * SAMPLES;
bool active = line < x_shape[0];
starts[lane] = long(line) * n + (BACK ? n - 1 - done : done);
sizes[lane] = active ? min(SAMPLES, n - done) : 0;
double w[SECTIONS * 2 * (ORDER + 1)];
double z[SECTIONS * ORDER];
for (int i = 0; i < SECTIONS * 2 * (ORDER + 1); i++)
    w[i] = c[i];
for (int i = 0; i < SECTIONS * ORDER; i++)
    z[i] = active ? zi[long(me) * (SECTIONS * ORDER) + i] : 0.0;
threadgroup_barrier(mem_flags::mem_threadgroup);
for (int from = 0; from < min(SAMPLES, n); from += 32) {
    int t = from + lane;
    for (int r = 0; r < 32; r++)
        tile[33 * r + lane] = t < sizes[r] ? x[starts[r] + (BACK ? -t : t)] : T(0);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    int count = min(sizes[lane] - from, 32);
    for (int i = 0; i < count; i++) {
        double v = double(tile[33 * lane + i]);
        tile[33 * lane + i] = T(BACK ? backwards(z, w, v) : forwards(z, w, v));
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (int r = 0; r < 32; r++) {
        if (t < sizes[r])
            y[starts[r] + (BACK ? -t : t)] = tile[33 * r + lane];
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
}
if (active && done + SAMPLES >= n) {
    for (int i = 0; i < SECTIONS * ORDER; i++)
        zf[long(line) * (SECTIONS * ORDER) + i] = z[i];
}
