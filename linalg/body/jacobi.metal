// One-sided Jacobi: rotates the rows of a in pairs until all are orthogonal. w
// is the rotated rows, v the rotations applied to the identity. COUNT rows,
// which is even, of LEN elements, a multiple of 32; a spare row follows.
//
// In even rounds rows 0 and 1, 2 and 3 and so on are pairs, in odd ones 1 and 2,
// 3 and 4; the rows of a pair always change places, so that after COUNT rounds
// every row has met every other. 32 threads serve a pair.
//
// Rows whose square is below least are what rounding left of dependent ones:
// they are zero for all purposes, and have no direction worth turning.
//
// outcome is the sweeps that were made and the largest cosine between two rows
// that the last one saw, before it was made zero.
threadgroup double parts[1024];
uint lane = thread_position_in_threadgroup.x;
uint group = thread_position_in_threadgroup.y;
uint tid = 32 * group + lane;
uint batch = threadgroup_position_in_grid.z;
uint wRow = batch * (COUNT + 1) * LEN;
uint vRow = batch * (COUNT + 1) * WIDTH;
for (uint i = group; i < COUNT + 1; i += GROUPS) {
    for (uint j = lane; j < LEN; j += 32)
        w[wRow + i * LEN + j] = i < COUNT ? a[batch * COUNT * LEN + i * LEN + j] : 0.0;
    for (uint j = lane; j < WIDTH; j += 32)
        v[vRow + i * WIDTH + j] = i == j ? 1.0 : 0.0;
}
threadgroup_barrier(mem_flags::mem_device);
bool done = false;
double reached = 0;
int sweeps = 0;
for (uint sweep = 0; sweep < MOST; sweep++) {
    double worst = 0;
    for (uint round = 0; round < COUNT; round++) {
        uint odd = round & 1;
        if (!done) {
            for (uint p0 = 0; p0 < COUNT / 2; p0 += GROUPS) {
                uint p = p0 + group;
                uint first = wRow + (2 * p + odd) * LEN + lane;
                double alpha = 0;
                double beta = 0;
                double gamma = 0;
                for (uint k = 0; k < LEN; k += 32) {
                    double x = w[first + k];
                    double y = w[first + LEN + k];
                    alpha += x * x;
                    beta += y * y;
                    gamma += x * y;
                }
                alpha = simd_sum(alpha);
                beta = simd_sum(beta);
                gamma = simd_sum(gamma);
                // The last pair of an odd round would reach beyond the rows.
                bool pair = p + odd < COUNT / 2;
                bool both = alpha > least[batch] && beta > least[batch];
                double size = sqrt(alpha) * sqrt(beta);
                double cosine = pair && both ? fabs(gamma) / size : 0.0;
                worst = max(worst, cosine);
                bool turn = cosine > tolerance[0];
                double zeta = turn ? (beta - alpha) / (2 * gamma) : 0.0;
                double far = fabs(zeta);
                double t = (zeta < 0 ? -1.0 : 1.0) / (far + (far > 1e9 ? far : sqrt(1 + zeta * zeta)));
                double c = turn ? 1 / sqrt(1 + t * t) : 1.0;
                double s = turn ? c * t : 0.0;
                double xx = pair ? s : 1.0;
                double xy = pair ? c : 0.0;
                double yx = pair ? c : 0.0;
                double yy = pair ? -s : 1.0;
                for (uint k = 0; k < LEN; k += 32) {
                    double x = w[first + k];
                    double y = w[first + LEN + k];
                    w[first + k] = xx * x + xy * y;
                    w[first + LEN + k] = yx * x + yy * y;
                }
                uint other = vRow + (2 * p + odd) * WIDTH + lane;
                for (uint k = 0; k < WIDTH; k += 32) {
                    double x = v[other + k];
                    double y = v[other + WIDTH + k];
                    v[other + k] = xx * x + xy * y;
                    v[other + WIDTH + k] = yx * x + yy * y;
                }
            }
        }
        threadgroup_barrier(mem_flags::mem_device);
    }
    if (!done)
        parts[tid] = worst;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (!done) {
        reached = 0;
        for (uint g = 0; g < GROUPS; g++)
            reached = max(reached, parts[32 * g]);
        sweeps += 1;
        // Not a number is done: it never gets better.
        done = !(reached > tolerance[0]);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
}
if (tid < 2)
    outcome[batch * 2 + tid] = tid == 0 ? double(sweeps) : reached;
