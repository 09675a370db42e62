// Singular values s (batch, N), greatest first, and vectors u (batch, M, N) and v (batch, N, N) of matrices with M rows and N columns,
// no more than rows. WIDTH lanes of a simdgroup have a matrix: each keeps a column in registers, real parts before
// imaginary ones, and behind it, with VECTORS, a row of the identity.
//
// The adjoint's rows, over the norm of all, are rotated in pairs until all are orthogonal: they are then the columns of u times s, and
// what became of the identity is v. Rows whose square is below least are what rounding left of dependent ones: they are not
// turned, and other directions take their places in u.
//
// fault is 0 if rows were orthogonal after MOST sweeps, or -1.
int place = int(thread_position_in_threadgroup.x);
int lane = place % WIDTH;
int base = place - lane;
int matrix = int(thread_position_in_grid.x) / WIDTH;
int within = min(matrix, a_shape[0] - 1);
long first = long(within) * (M * N);
bool row = lane < N;
threadgroup S rows[32 * LEN];
S own[PARTS * LONG];
S most = 0;
for (int c = 0; c < M; c++) {
    T z = a[first + (c * N + min(lane, N - 1))];
    own[c] = row ? re(z) : S(0);
    most = max(most, fabs(own[c]));
    if (PARTS == 2) {
        own[LONG + c] = row ? -im(z) : S(0);
        most = max(most, fabs(own[LONG + c]));
    }
}
for (int by = WIDTH / 2; by > 0; by /= 2)
    most = max(most, simd_shuffle_xor(most, by));
S lift = lift_of(most);
S square = 0;
for (int p = 0; p < PARTS; p++) {
    for (int c = 0; c < M; c++) {
        own[p * LONG + c] *= lift;
        square = fma(own[p * LONG + c], own[p * LONG + c], square);
    }
}
for (int by = WIDTH / 2; by > 0; by /= 2)
    square += simd_shuffle_xor(square, by);
S norm = sqrt(square);
bool sound = norm - norm == 0; // what is not finite is reported elsewhere
S over = norm > 0 ? 1 / norm : S(0);
S alpha = 0;
for (int p = 0; p < PARTS; p++) {
    for (int c = 0; c < M; c++) {
        own[p * LONG + c] = sound ? own[p * LONG + c] * over : S(0);
        alpha = fma(own[p * LONG + c], own[p * LONG + c], alpha);
    }
}
for (int c = M; c < LONG; c++)
    own[c] = c - M == lane ? S(1) : S(0);
float enough = 4 * N * exp2(float(-2 * DIGITS));
S least = exp2(S(-LEAST));
float left = 0;
for (int sweep = 0; sweep < MOST; sweep++) {
    float reached = 0;
    float turned = 1e-12f;
    for (int round = 0; round < Q; round++) {
        int other = opponent(lane, round);
        threadgroup S* theirs = rows + (base + other) * LEN;
        for (int p = 0; p < PARTS; p++) {
            for (int c = 0; c < SPAN; c++)
                rows[place * LEN + p * SPAN + c] = own[p * LONG + c];
        }
        rows[place * LEN + PARTS * SPAN] = alpha;
        simdgroup_barrier(mem_flags::mem_threadgroup);
        S gr[2] = {0, 0};
        S gi[2] = {0, 0};
        for (int c = 0; c < M; c++) {
            S y = theirs[c];
            gr[c & 1] = fma(own[c], y, gr[c & 1]);
            if (PARTS == 2) {
                S z = theirs[SPAN + c];
                gr[1 - (c & 1)] = fma(own[LONG + c], z, gr[1 - (c & 1)]);
                gi[0] = fma(own[c], z, gi[0]);
                gi[1] = fma(own[LONG + c], y, gi[1]);
            }
        }
        S beta = theirs[PARTS * SPAN];
        bool pair = row && other < N && alpha > least && beta > least;
        S size = pair ? 1 / sqrt(alpha * beta) : S(0);
        float cr = float((gr[0] + gr[1]) * size);
        float ci = float((gi[0] - gi[1]) * size);
        float cosine = cr * cr + ci * ci; // its square
        bool turns = cosine > enough;
        reached = max(reached, cosine);
        S c0 = 1;
        S sr = 0;
        S si = 0;
        float mixed = turn(cr, ci, float((beta - alpha) * size), lane < other, c0, sr, si);
        turned = max(turned, pair ? mixed : 0.0f);
        c0 = turns ? c0 : S(1);
        sr = turns ? sr : S(0);
        si = turns ? si : S(0);
        S squares[2] = {0, 0};
        for (int c = 0; c < SPAN; c++) {
            if (PARTS == 1) {
                own[c] = fma(c0, own[c], -(sr * theirs[c]));
            } else {
                rotate(own[c], own[LONG + c], theirs[c], theirs[SPAN + c], c0, sr, si);
                if (c < M)
                    squares[1 - (c & 1)] = fma(own[LONG + c], own[LONG + c], squares[1 - (c & 1)]);
            }
            if (c < M)
                squares[c & 1] = fma(own[c], own[c], squares[c & 1]);
        }
        if (SPAN < LONG) { // memory has no room for rows and what is behind them
            simdgroup_barrier(mem_flags::mem_threadgroup);
            for (int p = 0; p < PARTS; p++) {
                for (int c = SPAN; c < LONG; c++)
                    rows[place * LEN + p * SPAN + c - SPAN] = own[p * LONG + c];
            }
            simdgroup_barrier(mem_flags::mem_threadgroup);
            for (int c = SPAN; c < LONG; c++)
                rotate(own[c], own[LONG + c], theirs[c - SPAN], theirs[c], c0, sr, si);
        }
        alpha = squares[0] + squares[1];
        simdgroup_barrier(mem_flags::mem_threadgroup);
    }
    // A turn brings back its part of what was made zero before.
    left = simd_max(reached) * min(simd_max(turned) * (N * N), 1.0f);
    if (EARLY && !(left > enough))
        break;
}
// Thousands of rounded turns have made what is behind a row as much longer as the row.
S drift = VECTORS ? S(0) : S(1);
for (int p = 0; p < PARTS; p++) {
    for (int c = M; c < LONG; c++)
        drift = fma(own[p * LONG + c], own[p * LONG + c], drift);
}
S mend = row ? 1 / sqrt(drift) : S(0);
S value = row ? sqrt(alpha) * mend * norm / lift : S(-1);
int rank = 0;
for (int i = 0; i < N; i++) {
    S next = simd_shuffle(value, base + i);
    rank += next > value || (next == value && i < lane) ? 1 : 0;
}
bool writes = row && matrix < a_shape[0];
if (writes) {
    s[long(matrix) * N + rank] = R(value);
    if (lane == 0)
        fault[matrix] = left > enough ? 0 : -1;
}
if (VECTORS) {
    bool missing = row && !(alpha > least);
    S unit = row && !missing ? 1 / sqrt(alpha) : S(0);
    for (int c = 0; c < M; c++) {
        rows[place * LEN + c] = own[c] * unit;
        if (PARTS == 2)
            rows[place * LEN + M + c] = own[LONG + c] * unit;
    }
    for (int t = 0; t < N; t++) {
        bool fills = simd_shuffle(missing ? 1 : 0, base + t) != 0;
        if (!EARLY || simd_any(fills)) {
            // Any direction that the others do not explain. What they do is taken out three times.
            threadgroup S* filled = rows + (base + t) * LEN;
            simdgroup_barrier(mem_flags::mem_threadgroup);
            for (int c = lane; c < PARTS * M; c += WIDTH) {
                uint bits = uint(c * N + t + 1) * 2654435769u;
                bits = (bits ^ (bits >> 15)) * 2246822519u;
                if (fills)
                    filled[c] = S(int(bits ^ (bits >> 13))) * S(4.656612873077393e-10);
            }
            for (int pass = 0; pass < 3; pass++) {
                simdgroup_barrier(mem_flags::mem_threadgroup);
                S dr = 0;
                S di = 0;
                S length = 0;
                for (int c = 0; c < M; c++) {
                    S x = rows[place * LEN + c];
                    S y = filled[c];
                    dr = fma(x, y, dr);
                    length = fma(y, y, length);
                    if (PARTS == 2) {
                        S xi = rows[place * LEN + M + c];
                        S yi = filled[M + c];
                        dr = fma(xi, yi, dr);
                        di = fma(x, yi, fma(-xi, y, di));
                        length = fma(yi, yi, length);
                    }
                }
                S scale = 1 / sqrt(length);
                simdgroup_barrier(mem_flags::mem_threadgroup);
                rows[place * LEN + PARTS * M] = lane == t ? S(0) : dr;
                rows[place * LEN + PARTS * M + PARTS - 1] = lane == t ? S(0) : PARTS == 2 ? di : dr;
                simdgroup_barrier(mem_flags::mem_threadgroup);
                for (int c = lane; c < M; c += WIDTH) {
                    S x = filled[c];
                    S y = PARTS == 2 ? filled[(PARTS - 1) * M + c] : S(0);
                    for (int i = 0; i < N; i++) {
                        threadgroup S* of = rows + (base + i) * LEN;
                        x = fma(-of[PARTS * M], of[c], x);
                        if (PARTS == 2) {
                            x = fma(of[PARTS * M + 1], of[M + c], x);
                            y = fma(-of[PARTS * M], of[M + c], fma(-of[PARTS * M + 1], of[c], y));
                        }
                    }
                    if (fills) {
                        filled[c] = x * scale;
                        if (PARTS == 2)
                            filled[M + c] = y * scale;
                    }
                }
            }
            simdgroup_barrier(mem_flags::mem_threadgroup);
            S length = 0;
            for (int c = 0; c < PARTS * M; c++)
                length = fma(filled[c], filled[c], length);
            S scale = 1 / sqrt(length);
            simdgroup_barrier(mem_flags::mem_threadgroup);
            for (int c = lane; c < PARTS * M; c += WIDTH) {
                if (fills)
                    filled[c] *= scale;
            }
            simdgroup_barrier(mem_flags::mem_threadgroup);
        }
    }
    if (writes) {
        for (int c = 0; c < M; c++)
            u[first + (c * N + rank)] = number(rows[place * LEN + c], PARTS == 2 ? -rows[place * LEN + (PARTS - 1) * M + c] : S(0));
        for (int c = M; c < LONG; c++)
            v[long(matrix) * (N * N) + ((c - M) * N + rank)] = number(own[c] * mend, PARTS == 2 ? -own[(PARTS - 1) * LONG + c] * mend : S(0));
    }
}
if (!VECTORS && thread_position_in_grid.x == 0) {
    u[0] = number(S(0), S(0));
    v[0] = number(S(0), S(0));
}
