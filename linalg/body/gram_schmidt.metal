// Two-pass Gram-Schmidt of the rows of at: qt gets orthonormal rows, and row k
// of rt the coefficients of row k of at. Lengths are whole multiples of the
// threadgroup, 32 by GROUPS threads, so that no thread ever idles.
//
// Sums are in double: squares of floats neither overflow nor lose what is left
// of a nearly dependent row. A row that the earlier ones explain leaves a zero
// on the diagonal, and a direction of its own takes its place, so that qt is
// always orthonormal.
threadgroup double coef[COUNT];  // of one pass
threadgroup double total[COUNT]; // of all passes that count
threadgroup double parts[1024];
uint lane = thread_position_in_threadgroup.x;
uint group = thread_position_in_threadgroup.y;
uint tid = 32 * group + lane;
uint count = COUNT;
uint len = at_shape[2];
uint first = threadgroup_position_in_grid.z * at_shape[1] * len;
uint corner = threadgroup_position_in_grid.z * size[1] * count;

for (uint k = 0; k < uint(size[1]); k++) {
    uint row = first + k * len;
    double before = 0;
    for (uint i0 = 0; i0 < len; i0 += 32 * GROUPS) {
        uint i = i0 + tid;
        T v = at[row + i];
        qt[row + i] = v;
        before += double(v) * double(v);
    }
    parts[tid] = simd_sum(before);
    for (uint j0 = 0; j0 < count; j0 += 32 * GROUPS) {
        total[j0 + tid] = 0;
        coef[j0 + tid] = 0;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    before = 0;
    for (uint g = 0; g < GROUPS; g++)
        before += parts[32 * g];
    // A row that is replaced starts over as noise, at most twice. All threads
    // agree on done, but barriers have to be reached whatever it is.
    bool done = false;
    for (uint turn = 0; turn < 3; turn++) {
        for (uint pass = 0; pass < 2; pass++) {
            threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device);
            if (!done) {
                for (uint j0 = 0; j0 < k; j0 += GROUPS) {
                    uint other = first + (j0 + group) * len + lane;
                    double c = 0;
                    for (uint i = 0; i < len; i += 32)
                        c += double(qt[other + i]) * double(qt[row + lane + i]);
                    c = simd_sum(c);
                    if (lane == 0)
                        coef[j0 + group] = c;
                }
            }
            threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device);
            if (!done) {
                for (uint i0 = 0; i0 < len; i0 += 32 * GROUPS) {
                    uint i = i0 + tid;
                    double v = qt[row + i];
                    for (uint j = 0; j < k; j++)
                        v -= coef[j] * double(qt[first + j * len + i]);
                    qt[row + i] = T(v);
                }
                if (turn == 0) {
                    for (uint j0 = 0; j0 < k; j0 += 32 * GROUPS)
                        total[j0 + tid] += coef[j0 + tid];
                }
            }
        }
        double after = 0;
        if (!done) {
            for (uint i0 = 0; i0 < len; i0 += 32 * GROUPS) {
                double v = qt[row + i0 + tid];
                after += v * v;
            }
            parts[tid] = simd_sum(after);
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
        if (!done) {
            after = 0;
            for (uint g = 0; g < GROUPS; g++)
                after += parts[32 * g];
            // Not a number is done: there is nothing to replace it with.
            done = !(after <= before * least[0] * least[0]);
            if (turn == 0) {
                for (uint j0 = 0; j0 < count; j0 += 32 * GROUPS) {
                    uint j = j0 + tid;
                    double diagonal = done ? sqrt(after) : 0.0;
                    rt[corner + k * count + j] = T(j < k ? total[j] : j == k ? diagonal : 0.0);
                }
            }
            double scale = 1 / sqrt(after);
            before = double(len) / 3;
            if (done) {
                for (uint i0 = 0; i0 < len; i0 += 32 * GROUPS)
                    qt[row + i0 + tid] = T(double(qt[row + i0 + tid]) * scale);
            } else {
                for (uint i0 = 0; i0 < len; i0 += 32 * GROUPS) {
                    uint i = i0 + tid;
                    uint h = (i * 747796405u + (k * 3u + turn) * 2891336453u) ^ 277803737u;
                    h = (h ^ (h >> 15)) * 2246822519u;
                    h = (h ^ (h >> 13)) * 3266489917u;
                    h = h ^ (h >> 16);
                    T noise = T(h) * T(4.656612873077393e-10) - T(1);
                    qt[row + i] = i < uint(size[0]) ? noise : T(0);
                }
            }
        }
    }
}
