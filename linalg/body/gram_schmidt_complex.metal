// gram_schmidt for complex numbers, all in double: qt gets orthonormal rows, and
// row k of rt the coefficients of row k of zt. The diagonal of r is real.
threadgroup double coefRe[COUNT]; // of one pass
threadgroup double coefIm[COUNT];
threadgroup double totalRe[COUNT]; // of all passes that count
threadgroup double totalIm[COUNT];
threadgroup double parts[1024];
uint lane = thread_position_in_threadgroup.x;
uint group = thread_position_in_threadgroup.y;
uint tid = 32 * group + lane;
uint count = COUNT;
uint len = zt_shape[2];
uint first = threadgroup_position_in_grid.z * zt_shape[1] * len;
uint corner = threadgroup_position_in_grid.z * size[1] * count;

for (uint k = 0; k < uint(size[1]); k++) {
    uint row = first + k * len;
    double before = 0;
    for (uint i0 = 0; i0 < len; i0 += 32 * GROUPS) {
        uint i = i0 + tid;
        double2 v = zt[row + i];
        qt[row + i] = v;
        before += v.x * v.x + v.y * v.y;
    }
    parts[tid] = simd_sum(before);
    for (uint j0 = 0; j0 < count; j0 += 32 * GROUPS) {
        totalRe[j0 + tid] = 0;
        totalIm[j0 + tid] = 0;
        coefRe[j0 + tid] = 0;
        coefIm[j0 + tid] = 0;
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
                    double re = 0;
                    double im = 0;
                    for (uint i = 0; i < len; i += 32) {
                        double2 q = qt[other + i];
                        double2 v = qt[row + lane + i];
                        re += q.x * v.x + q.y * v.y;
                        im += q.x * v.y - q.y * v.x;
                    }
                    re = simd_sum(re);
                    im = simd_sum(im);
                    if (lane == 0) {
                        coefRe[j0 + group] = re;
                        coefIm[j0 + group] = im;
                    }
                }
            }
            threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device);
            if (!done) {
                for (uint i0 = 0; i0 < len; i0 += 32 * GROUPS) {
                    uint i = i0 + tid;
                    double2 v = qt[row + i];
                    double re = v.x;
                    double im = v.y;
                    for (uint j = 0; j < k; j++) {
                        double2 q = qt[first + j * len + i];
                        re -= coefRe[j] * q.x - coefIm[j] * q.y;
                        im -= coefRe[j] * q.y + coefIm[j] * q.x;
                    }
                    qt[row + i] = double2(re, im);
                }
                if (turn == 0) {
                    for (uint j0 = 0; j0 < k; j0 += 32 * GROUPS) {
                        totalRe[j0 + tid] += coefRe[j0 + tid];
                        totalIm[j0 + tid] += coefIm[j0 + tid];
                    }
                }
            }
        }
        double after = 0;
        if (!done) {
            for (uint i0 = 0; i0 < len; i0 += 32 * GROUPS) {
                double2 v = qt[row + i0 + tid];
                after += v.x * v.x + v.y * v.y;
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
                    rt[corner + k * count + j] = double2(j < k ? totalRe[j] : j == k ? diagonal : 0.0, j < k ? totalIm[j] : 0.0);
                }
            }
            double scale = 1 / sqrt(after);
            before = double(len) / 3;
            for (uint i0 = 0; i0 < len; i0 += 32 * GROUPS) {
                uint i = i0 + tid;
                uint h = (i * 747796405u + ((uint(size[2]) + k) * 3u + turn) * 2891336453u) ^ 277803737u;
                h = (h ^ (h >> 15)) * 2246822519u;
                h = (h ^ (h >> 13)) * 3266489917u;
                h = h ^ (h >> 16);
                double noise = i < uint(size[0]) ? double(h) * 4.656612873077393e-10 - 1.0 : 0.0;
                double2 v = qt[row + i];
                qt[row + i] = double2(done ? v.x * scale : noise, done ? v.y * scale : 0.0);
            }
        }
    }
}
