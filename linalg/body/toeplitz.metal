// The first and the last column, f and b, of the inverse of a Toeplitz matrix
// with element (i, j) at t[SIDE - 1 + i - j + PADDED], by Levinson's recursion:
// step k has those of the leading k rows and columns. They are kept from
// position 1 on, of 1 + PADDED, which is a multiple of the threadgroup's
// 32 GROUPS threads; b[0] stays zero.
//
// status is the step whose leading matrix is singular, or -1.
threadgroup double parts[1024];
threadgroup double others[1024];
uint lane = thread_position_in_threadgroup.x;
uint tid = 32 * thread_position_in_threadgroup.y + lane;
uint batch = threadgroup_position_in_grid.z;
uint line = batch * (PADDED + 1);
uint corner = batch * (2 * SIDE - 1 + 2 * PADDED) + SIDE - 1 + PADDED;
double top = t[corner];
for (uint i0 = 0; i0 < PADDED; i0 += 32 * GROUPS) {
    uint i = i0 + tid;
    f[line + 1 + i] = i == 0 ? 1 / top : 0.0;
    b[line + 1 + i] = i == 0 ? 1 / top : 0.0;
}
int bad = top == 0 ? 0 : -1;
for (uint k = 1; k < SIDE; k++) {
    threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
    double down = 0;
    double right = 0;
    for (uint i0 = 0; i0 < k; i0 += 32 * GROUPS) {
        uint i = i0 + tid;
        down += double(t[corner + k - i]) * f[line + 1 + i];
        right += double(t[corner - 1 - i]) * b[line + 1 + i];
    }
    parts[tid] = simd_sum(down);
    others[tid] = simd_sum(right);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    down = 0;
    right = 0;
    for (uint g = 0; g < GROUPS; g++) {
        down += parts[32 * g];
        right += others[32 * g];
    }
    double d = 1 - down * right;
    bad = d == 0 && bad < 0 ? int(k) : bad;
    double by = 1 / d;
    // From the end, so that b is read one place before what is written.
    for (uint turn = 0; turn < PADDED; turn += 32 * GROUPS) {
        uint i = PADDED - 32 * GROUPS - turn + tid;
        double x = f[line + 1 + i];
        double y = b[line + i];
        threadgroup_barrier(mem_flags::mem_device);
        f[line + 1 + i] = (x - down * y) * by;
        b[line + 1 + i] = (y - right * x) * by;
        threadgroup_barrier(mem_flags::mem_device);
    }
}
if (tid == 0) {
    f[line] = 0;
    b[line] = 0;
    status[batch] = bad;
}
