// lu_panel for complex numbers, all in double. The pivot is the number whose
// parts have the largest sum of moduli.
threadgroup double parts[1024];
threadgroup uint places[1024];
threadgroup double2 head[COUNT]; // the row of the pivot
uint lane = thread_position_in_threadgroup.x;
uint tid = 32 * thread_position_in_threadgroup.y + lane;
uint len = zt_shape[2];
uint batch = threadgroup_position_in_grid.z;
uint first = batch * COUNT * len;
uint line = batch * len;
int exchanged = 0;
for (uint i0 = 0; i0 < len; i0 += 32 * GROUPS) {
    order[line + i0 + tid] = int(i0 + tid);
    for (uint j = 0; j < COUNT; j++)
        wt[first + j * len + i0 + tid] = zt[first + j * len + i0 + tid];
}
for (uint k = 0; k < COUNT; k++) {
    uint row = first + k * len;
    threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
    // The largest number from row k on, and where it is first.
    double best = -1;
    uint place = len;
    for (uint i0 = 0; i0 < len; i0 += 32 * GROUPS) {
        uint i = i0 + tid;
        double2 z = wt[row + i];
        double size = fabs(z.x) + fabs(z.y);
        double v = isnan(size) ? INFINITY : size;
        bool better = i >= k && v > best;
        best = better ? v : best;
        place = better ? i : place;
    }
    double most = simd_max(best);
    parts[tid] = most;
    places[tid] = simd_min(best == most ? place : len);
    threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device);
    most = -1;
    uint pivot = len;
    for (uint g = 0; g < GROUPS; g++) {
        double v = parts[32 * g];
        uint p = places[32 * g];
        pivot = v > most || (v == most && p < pivot) ? p : pivot;
        most = max(most, v);
    }
    // Threads exchange their columns, and the last one the order.
    if (pivot != k) {
        exchanged += 1;
        for (uint c = tid; c < COUNT; c += 32 * GROUPS) {
            uint mine = first + c * len;
            double2 up = wt[mine + pivot];
            wt[mine + pivot] = wt[mine + k];
            wt[mine + k] = up;
        }
        if (tid == 32 * GROUPS - 1) {
            int up = order[line + pivot];
            order[line + pivot] = order[line + k];
            order[line + k] = up;
        }
    }
    threadgroup_barrier(mem_flags::mem_device);
    for (uint c = tid; c < COUNT; c += 32 * GROUPS)
        head[c] = wt[first + c * len + k];
    threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
    double2 d = head[k];
    double big = max(fabs(d.x), fabs(d.y));
    double x = big == 0 ? 0.0 : d.x / big;
    double y = big == 0 ? 0.0 : d.y / big;
    double lift = big < 1e-300 ? 1267650600228229401496703205376.0 : 1.0; // 2^100 where 1 / big would be infinite
    double by = big == 0 ? 0.0 : 1 / (x * x + y * y) / (big * lift);
    for (uint i0 = 0; i0 < len; i0 += 32 * GROUPS) {
        uint i = i0 + tid;
        double2 v = wt[row + i];
        double re = (v.x * x + v.y * y) * lift * by;
        double im = (v.y * x - v.x * y) * lift * by;
        for (uint j = k; j < COUNT && i > k; j++) {
            double2 h = head[j];
            double2 u = wt[first + j * len + i];
            wt[first + j * len + i] = j == k ? double2(re, im) : double2(u.x - (re * h.x - im * h.y), u.y - (re * h.y + im * h.x));
        }
    }
}
if (tid == 0)
    swaps[batch] = exchanged;
