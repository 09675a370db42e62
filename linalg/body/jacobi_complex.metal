// jacobi for complex numbers: the second row of a pair is first turned by the
// phase that makes its product with the first one real.
threadgroup double parts[1024];
uint lane = thread_position_in_threadgroup.x;
uint group = thread_position_in_threadgroup.y;
uint tid = 32 * group + lane;
uint batch = threadgroup_position_in_grid.z;
uint wRow = batch * (COUNT + 1) * LEN;
uint vRow = batch * (COUNT + 1) * WIDTH;
for (uint i = group; i < COUNT + 1; i += GROUPS) {
    for (uint j = lane; j < LEN; j += 32)
        w[wRow + i * LEN + j] = i < COUNT ? za[batch * COUNT * LEN + i * LEN + j] : double2(0.0, 0.0);
    for (uint j = lane; j < WIDTH; j += 32)
        v[vRow + i * WIDTH + j] = double2(i == j ? 1.0 : 0.0, 0.0);
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
                double re = 0;
                double im = 0;
                for (uint k = 0; k < LEN; k += 32) {
                    double2 x = w[first + k];
                    double2 y = w[first + LEN + k];
                    alpha += x.x * x.x + x.y * x.y;
                    beta += y.x * y.x + y.y * y.y;
                    re += x.x * y.x + x.y * y.y;
                    im += x.y * y.x - x.x * y.y;
                }
                alpha = simd_sum(alpha);
                beta = simd_sum(beta);
                re = simd_sum(re);
                im = simd_sum(im);
                double gamma = sqrt(re * re + im * im);
                // The last pair of an odd round would reach beyond the rows.
                bool pair = p + odd < COUNT / 2;
                bool both = alpha > least[batch] && beta > least[batch];
                double size = sqrt(alpha) * sqrt(beta);
                double cosine = pair && both ? gamma / size : 0.0;
                worst = max(worst, cosine);
                bool turn = cosine > tolerance[0];
                double zeta = turn ? (beta - alpha) / (2 * gamma) : 0.0;
                double far = fabs(zeta);
                double t = (zeta < 0 ? -1.0 : 1.0) / (far + (far > 1e9 ? far : sqrt(1 + zeta * zeta)));
                double c = turn ? 1 / sqrt(1 + t * t) : 1.0;
                double s = turn ? c * t : 0.0;
                double pr = turn ? re / gamma : 1.0;
                double pi = turn ? im / gamma : 0.0;
                double xx = pair ? s : 1.0;
                double xy = pair ? c : 0.0;
                double yx = pair ? c : 0.0;
                double yy = pair ? -s : 1.0;
                for (uint k = 0; k < LEN; k += 32) {
                    double2 x = w[first + k];
                    double2 z = w[first + LEN + k];
                    double2 y = double2(z.x * pr - z.y * pi, z.x * pi + z.y * pr);
                    w[first + k] = double2(xx * x.x + xy * y.x, xx * x.y + xy * y.y);
                    w[first + LEN + k] = double2(yx * x.x + yy * y.x, yx * x.y + yy * y.y);
                }
                uint other = vRow + (2 * p + odd) * WIDTH + lane;
                for (uint k = 0; k < WIDTH; k += 32) {
                    double2 x = v[other + k];
                    double2 z = v[other + WIDTH + k];
                    double2 y = double2(z.x * pr - z.y * pi, z.x * pi + z.y * pr);
                    v[other + k] = double2(xx * x.x + xy * y.x, xx * x.y + xy * y.y);
                    v[other + WIDTH + k] = double2(yx * x.x + yy * y.x, yx * x.y + yy * y.y);
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
