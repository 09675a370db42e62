// A transform of 1024 points in threadgroup memory: five passes of radix 4,
// as fft_radix2 otherwise. Half the barriers and half the traffic.
threadgroup float2 line[2][1024];
uint j = thread_position_in_threadgroup.x;
uint start = threadgroup_position_in_grid.x * 1024;
for (uint r = 0; r < 4; r++)
    line[0][j + r * 256] = x[start + j + r * 256];
uint from = 0;
for (uint done = 1; done < 1024; done *= 4) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    uint k = j % done;
    uint turn = k * (256 / done);
    float2 a = line[from][j];
    float2 b = cmul(line[from][j + 256], w[turn]);
    float2 c = cmul(line[from][j + 512], w[2 * turn]);
    float2 d = cmul(line[from][j + 768], w[3 * turn]);
    float2 even = a + c;
    float2 odd = a - c;
    float2 sum = b + d;
    float2 turned = float2(b.y - d.y, d.x - b.x); // -i (b - d)
    uint to = (j - k) * 4 + k;
    line[1 - from][to] = even + sum;
    line[1 - from][to + done] = odd + turned;
    line[1 - from][to + 2 * done] = even - sum;
    line[1 - from][to + 3 * done] = odd - turned;
    from = 1 - from;
}
threadgroup_barrier(mem_flags::mem_threadgroup);
for (uint r = 0; r < 4; r++)
    y[start + j + r * 256] = line[from][j + r * 256];
