// One-sided Jacobi of the rows of a small r, SIDE by SIDE, for float32 results: vt
// is the rows, rotated until they are orthogonal, longest first and of length 1,
// and s their lengths before that. The rows stay in the threadgroup's memory,
// COUNT of them with zeros for those that are not there; COUNT is 8 times EACH,
// and LEN 4 more, so that rows of neighbours do not meet in a bank.
//
// In COUNT - 1 rounds every row meets every other, as in a tournament; 8 threads
// serve a pair. Sums and rotations are in double. Where to turn to is found in
// float, with inverse_root: a rotation then leaves a millionth of the cosine, and the
// next sweep sees to that; that it is a rotation is mended in double.
//
// Rows whose square is below 1e-24 of all squares are what rounding left of
// dependent ones: they have no direction worth turning.
//
// outcome is the sweeps that were made and the largest cosine between two rows
// that the last one saw, before it was made zero.
threadgroup double w[COUNT * LEN];
threadgroup double parts[COUNT];
uint tid = thread_position_in_threadgroup.x;
uint lane = tid & 7;
uint pair = tid >> 3;
uint batch = threadgroup_position_in_grid.z;
uint first = batch * SIDE * SIDE;
double x[EACH];
double y[EACH];
double total = 0;
for (uint e = 0; e < EACH; e++) {
    uint i = lane + 8 * e;
    bool upper = i < SIDE && pair < SIDE;
    bool lower = i < SIDE && pair + COUNT / 2 < SIDE;
    x[e] = upper ? r[first + pair * SIDE + i] : 0.0;
    y[e] = lower ? r[first + (pair + COUNT / 2) * SIDE + i] : 0.0;
    w[pair * LEN + i] = x[e];
    w[(pair + COUNT / 2) * LEN + i] = y[e];
    total = fma(x[e], x[e], fma(y[e], y[e], total));
}
total += simd_shuffle_xor(total, 1);
total += simd_shuffle_xor(total, 2);
total += simd_shuffle_xor(total, 4);
if (lane == 0)
    parts[pair] = total;
threadgroup_barrier(mem_flags::mem_threadgroup);
total = 0;
for (uint p = 0; p < COUNT / 2; p++)
    total += parts[p];
double unit = total > 0 ? 1 / total : 0.0;
bool done = false;
float reached = 0;
int sweeps = 0;
for (uint sweep = 0; sweep < MOST; sweep++) {
    float worst = 0;
    for (uint round = 0; round < COUNT - 1; round++) {
        if (!done) {
            uint a = round + pair;
            uint b = round + COUNT - 1 - pair;
            a = a < COUNT - 1 ? a : a - (COUNT - 1);
            b = pair == 0 ? COUNT - 1 : b < COUNT - 1 ? b : b - (COUNT - 1);
            threadgroup double* p = w + (a * LEN + lane);
            threadgroup double* q = w + (b * LEN + lane);
            double alpha = 0;
            double beta = 0;
            double gamma = 0;
            for (uint e = 0; e < EACH; e++) {
                x[e] = p[8 * e];
                y[e] = q[8 * e];
            }
            for (uint e = 0; e < EACH; e++) {
                alpha = fma(x[e], x[e], alpha);
                beta = fma(y[e], y[e], beta);
                gamma = fma(x[e], y[e], gamma);
            }
            alpha += simd_shuffle_xor(alpha, 1);
            beta += simd_shuffle_xor(beta, 1);
            gamma += simd_shuffle_xor(gamma, 1);
            alpha += simd_shuffle_xor(alpha, 2);
            beta += simd_shuffle_xor(beta, 2);
            gamma += simd_shuffle_xor(gamma, 2);
            alpha += simd_shuffle_xor(alpha, 4);
            beta += simd_shuffle_xor(beta, 4);
            gamma += simd_shuffle_xor(gamma, 4);
            float xx = float(alpha * unit);
            float yy = float(beta * unit);
            float xy = float(gamma * unit);
            bool both = xx > 1e-24f && yy > 1e-24f;
            float scale = both ? inverse_root(xx) * inverse_root(yy) : 0.0f;
            float cosine = xy * scale;
            worst = max(worst, fabs(cosine));
            // The tangent of twice the angle is twice the cosine over apart.
            float apart = float((beta - alpha) * unit) * scale;
            float longest = inverse_root(apart * apart + 4 * cosine * cosine);
            float square = 0.5f + 0.5f * fabs(apart) * longest;
            float by = inverse_root(square);
            double c = square * by;
            double sine = (apart < 0 ? -cosine : cosine) * longest * by;
            double mend = fma(-0.5, fma(c, c, sine * sine), 1.5);
            c *= mend;
            sine *= mend;
            if (fabs(cosine) > 1e-14f) {
                for (uint e = 0; e < EACH; e++) {
                    p[8 * e] = fma(c, x[e], -(sine * y[e]));
                    q[8 * e] = fma(c, y[e], sine * x[e]);
                }
            }
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    if (!done && lane == 0)
        parts[pair] = worst;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (!done) {
        reached = 0;
        for (uint p = 0; p < COUNT / 2; p++)
            reached = max(reached, float(parts[p]));
        sweeps += 1;
        // Not a number is done: it never gets better.
        done = !(reached > 1e-8f);
    }
}
threadgroup_barrier(mem_flags::mem_threadgroup);
for (uint turn = 0; turn < 2; turn++) {
    uint row = pair + turn * (COUNT / 2);
    double square = 0;
    for (uint e = 0; e < EACH; e++)
        square = fma(w[row * LEN + lane + 8 * e], w[row * LEN + lane + 8 * e], square);
    square += simd_shuffle_xor(square, 1);
    square += simd_shuffle_xor(square, 2);
    square += simd_shuffle_xor(square, 4);
    if (lane == 0)
        parts[row] = isnan(square) ? 1e300 : square; // for an order
}
threadgroup_barrier(mem_flags::mem_threadgroup);
for (uint turn = 0; turn < 2; turn++) {
    uint row = pair + turn * (COUNT / 2);
    double square = parts[row];
    uint place = 0;
    for (uint i = 0; i < COUNT; i++)
        place += parts[i] > square || (parts[i] == square && i < row) ? 1 : 0;
    double by = square > 0 ? 1 / sqrt(square) : 0.0;
    if (place < SIDE) {
        for (uint e = 0; e < EACH; e++) {
            uint i = lane + 8 * e;
            if (i < SIDE)
                vt[first + place * SIDE + i] = w[row * LEN + i] * by;
        }
        if (lane == 0)
            s[batch * SIDE + place] = sqrt(square);
    }
}
if (tid < 2)
    outcome[batch * 2 + tid] = tid == 0 ? double(sweeps) : double(reached);
