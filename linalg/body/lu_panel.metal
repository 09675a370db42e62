// LU with exchanges of a panel of COUNT columns, which lie as rows of at: wt is
// the factors in the exchanged order, order says which row came where, swaps
// counts exchanges. The length of a row is a multiple of the threadgroup,
// 32 by GROUPS threads; what is beyond the matrix is zero and stays.
threadgroup double parts[1024];
threadgroup uint places[1024];
threadgroup double head[COUNT]; // the row of the pivot
uint lane = thread_position_in_threadgroup.x;
uint tid = 32 * thread_position_in_threadgroup.y + lane;
uint len = at_shape[2];
uint batch = threadgroup_position_in_grid.z;
uint first = batch * COUNT * len;
uint line = batch * len;
int exchanged = 0;
for (uint i0 = 0; i0 < len; i0 += 32 * GROUPS) {
    order[line + i0 + tid] = int(i0 + tid);
    for (uint j = 0; j < COUNT; j++)
        wt[first + j * len + i0 + tid] = at[first + j * len + i0 + tid];
}
for (uint k = 0; k < COUNT; k++) {
    uint row = first + k * len;
    threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
    // The largest number from row k on, and where it is first.
    double best = -1;
    uint place = len;
    for (uint i0 = 0; i0 < len; i0 += 32 * GROUPS) {
        uint i = i0 + tid;
        double size = fabs(double(wt[row + i]));
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
            T up = wt[mine + pivot];
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
    double d = head[k];
    double lift = fabs(d) < 1e-300 ? 1267650600228229401496703205376.0 : 1.0; // 2^100 where 1 / d would be infinite
    double by = d == 0 ? 0.0 : 1 / (d * lift);
    for (uint i0 = 0; i0 < len; i0 += 32 * GROUPS) {
        uint i = i0 + tid;
        double v = wt[row + i];
        double factor = v * lift * by;
        for (uint j = k; j < COUNT && i > k; j++)
            wt[first + j * len + i] = T(j == k ? factor : double(wt[first + j * len + i]) - factor * head[j]);
    }
}
if (tid == 0)
    swaps[batch] = exchanged;
