// Eigenvalues w (batch, N), least first, and vectors v (batch, N, N) of Hermitian matrices, of which the lower half is read.
// WIDTH lanes of a simdgroup have a matrix: each keeps a row in registers, real parts before imaginary ones.
//
// Rows of the matrix over its norm, with 2 added to its diagonal, are rotated in pairs until all are orthogonal. All eigenvalues
// are from 1 to 3 then, so the rows are the vectors, whatever the signs of eigenvalues were, and none is
// short. Where to turn to is found in float: a rotation leaves a millionth of the cosine, and the next sweep sees to that; that it
// is a rotation is mended in S.
//
// fault is the first place that is not finite, N * N if rows were not orthogonal after MOST sweeps, or -1.
int place = int(thread_position_in_threadgroup.x);
int lane = place % WIDTH;
int base = place - lane;
int matrix = int(thread_position_in_grid.x) / WIDTH;
long first = long(min(matrix, a_shape[0] - 1)) * (N * N);
bool row = lane < N;
threadgroup S rows[32 * LEN];
int own_row = min(lane, N - 1);
S own[PARTS * N];
S most = 0;
int wrong = N * N;
for (int c = 0; c < N; c++) {
    bool under = c <= own_row;
    T z = a[first + (under ? own_row * N + c : c * N + own_row)];
    S x = re(z);
    S y = under ? im(z) : -im(z);
    y = c == own_row ? S(0) : y;
    most = max(most, max(fabs(x), fabs(y)));
    wrong = under && !(x - x == 0 && y - y == 0) ? min(wrong, own_row * N + c) : wrong;
    own[c] = row ? x : S(0);
    if (PARTS == 2)
        own[N + c] = row ? y : S(0);
}
for (int by = WIDTH / 2; by > 0; by /= 2) {
    most = max(most, simd_shuffle_xor(most, by));
    wrong = min(wrong, simd_shuffle_xor(wrong, by));
}
bool sound = wrong == N * N;
S lift = lift_of(most);
S square = 0;
for (int c = 0; c < PARTS * N; c++) {
    own[c] = sound ? own[c] * lift : S(0);
    square = fma(own[c], own[c], square);
}
for (int by = WIDTH / 2; by > 0; by /= 2)
    square += simd_shuffle_xor(square, by);
S norm = sqrt(square);
S over = norm > 0 ? 1 / norm : S(0);
S alpha = 0;
for (int c = 0; c < PARTS * N; c++) {
    own[c] = fma(own[c], over, c == lane ? S(2) : S(0));
    alpha = fma(own[c], own[c], alpha);
}
float enough = 4 * N * exp2(float(-2 * DIGITS));
float left = 0;
for (int sweep = 0; sweep < MOST; sweep++) {
    float reached = 0;
    float turned = 1e-12f;
    for (int round = 0; round < Q; round++) {
        int other = opponent(lane, round);
        bool pair = row && other < N;
        threadgroup S* theirs = rows + (base + other) * LEN;
        for (int c = 0; c < PARTS * N; c++)
            rows[place * LEN + c] = own[c];
        rows[place * LEN + PARTS * N] = alpha;
        simdgroup_barrier(mem_flags::mem_threadgroup);
        S gr[2] = {0, 0};
        S gi[2] = {0, 0};
        for (int c = 0; c < N; c++) {
            S y = theirs[c];
            gr[c & 1] = fma(own[c], y, gr[c & 1]);
            if (PARTS == 2) {
                S z = theirs[N + c];
                gr[1 - (c & 1)] = fma(own[N + c], z, gr[1 - (c & 1)]);
                gi[0] = fma(own[c], z, gi[0]);
                gi[1] = fma(own[N + c], y, gi[1]);
            }
        }
        S beta = theirs[PARTS * N];
        // Squares of lengths are from 1 to 9.
        float size = pair ? inverse_root(float(alpha * beta)) : 0.0f;
        float cr = float(gr[0] + gr[1]) * size;
        float ci = float(gi[0] - gi[1]) * size;
        float cosine = cr * cr + ci * ci; // its square
        bool turns = cosine > enough;
        reached = max(reached, cosine);
        S c0 = 1;
        S sr = 0;
        S si = 0;
        float mixed = turn(cr, ci, float(beta - alpha) * size, lane < other, c0, sr, si);
        turned = max(turned, pair ? mixed : 0.0f);
        c0 = turns ? c0 : S(1);
        sr = turns ? sr : S(0);
        si = turns ? si : S(0);
        if (PARTS * N > 32)
            simdgroup_barrier(mem_flags::mem_threadgroup); // rows are read twice: registers have no room for both
        S squares[2] = {0, 0};
        for (int c = 0; c < N; c++) {
            if (PARTS == 1) {
                own[c] = fma(c0, own[c], -(sr * theirs[c]));
            } else {
                S x = own[c];
                S y = own[N + c];
                own[c] = fma(c0, x, fma(si, theirs[N + c], -(sr * theirs[c])));
                own[N + c] = fma(c0, y, -fma(sr, theirs[N + c], si * theirs[c]));
                squares[1 - (c & 1)] = fma(own[N + c], own[N + c], squares[1 - (c & 1)]);
            }
            squares[c & 1] = fma(own[c], own[c], squares[c & 1]);
        }
        alpha = squares[0] + squares[1];
        simdgroup_barrier(mem_flags::mem_threadgroup);
    }
    // A turn brings back its sine's part of what was made zero before.
    left = simd_max(reached) * min(simd_max(turned) * (N * N), 1.0f);
    if (EARLY && !(left > enough))
        break;
}
// Vectors are the conjugates of rows. Where results have the digits of S, values are Rayleigh's quotients.
S unit = row ? 1 / sqrt(alpha) : S(0);
S length = 0;
for (int c = 0; c < PARTS * N; c++) {
    own[c] *= unit;
    length = fma(own[c], own[c], length);
}
S value = (alpha * unit - 2) * norm;
if (EXACT) {
    value = 0;
    for (int j = 0; j < N; j++) {
        for (int k = 0; k <= j; k++) {
            T z = a[first + (j * N + k)];
            S product = own[j] * own[k];
            S crossed = 0;
            if (PARTS == 2) {
                product = fma(own[N + j], own[N + k], product);
                crossed = fma(own[N + j], own[k], -(own[j] * own[N + k]));
            }
            S term = fma(re(z) * lift, product, -(j == k ? S(0) : im(z) * lift * crossed));
            value += j == k ? term : 2 * term;
        }
    }
    value = sound && row ? value / length : S(0);
}
value /= lift;
int rank = 0;
for (int i = 0; i < N; i++) {
    S next = simd_shuffle(value, base + i);
    rank += next < value || (next == value && i < lane) ? 1 : 0;
}
if (row && matrix < a_shape[0]) {
    w[long(matrix) * N + rank] = R(value);
    if (VECTORS) {
        for (int c = 0; c < N; c++)
            v[first + (c * N + rank)] = number(own[c], PARTS == 2 ? -own[(PARTS - 1) * N + c] : S(0));
    }
    if (lane == 0)
        fault[matrix] = !sound ? wrong : left > enough ? N * N : -1;
}
if (!VECTORS && thread_position_in_grid.x == 0)
    v[0] = number(S(0), S(0));
