// A transform of 1024 points in threadgroup memory: ten passes of radix 2,
// each written in order (Stockham), so that no digit reversal is needed. A thread
// has two of a pass's 512 butterflies. w holds exp(-2 pi i k / 1024).
threadgroup float2 line[2][1024];
uint t = thread_position_in_threadgroup.x;
uint start = threadgroup_position_in_grid.x * 1024;
for (uint j = t; j < 1024; j += 256)
    line[0][j] = x[start + j];
uint from = 0;
for (uint done = 1; done < 1024; done *= 2) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint j = t; j < 512; j += 256) {
        uint k = j % done;
        float2 p = line[from][j];
        float2 q = cmul(line[from][j + 512], w[k * (512 / done)]);
        uint to = (j - k) * 2 + k;
        line[1 - from][to] = p + q;
        line[1 - from][to + done] = p - q;
    }
    from = 1 - from;
}
threadgroup_barrier(mem_flags::mem_threadgroup);
for (uint j = t; j < 1024; j += 256)
    y[start + j] = line[from][j];
