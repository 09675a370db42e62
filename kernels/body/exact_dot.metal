// Each thread adds a strided part of x . y into limbs of its own, brings them
// into 16 bits and adds them to everyone's, which are integers: the order of
// additions leaves no trace.
int acc[LIMBS];
int nan = 0;
int plus = 0;
int minus = 0;
uint n = x_shape[0];
for (uint i = thread_position_in_grid.x; i < n; i += threads_per_grid.x) {
    uint a = as_type<uint>(x[i]);
    uint b = as_type<uint>(y[i]);
    bool negative = ((a ^ b) & 0x80000000u) != 0;
    if ((a >> 23 & 255u) == 255u || (b >> 23 & 255u) == 255u) {
        float p = x[i] * y[i];
        nan += isnan(p);
        plus += p > 0;
        minus += p < 0;
        continue;
    }
    ulong m = ulong(mantissa(a)) * ulong(mantissa(b));
    int at = exponent(a) + exponent(b) - 2;
    m <<= at & 15;
    at >>= 4;
    for (int k = 0; k < 4; k++) {
        int digit = int(m & 0xffffu);
        //twiddle:ignore TWK02 the number says which digits it is added to
        acc[at + k] += negative ? -digit : digit;
        m >>= 16;
    }
}
int carry = 0;
for (int k = 0; k < LIMBS; k++) {
    int sum = acc[k] + carry;
    carry = sum >> 16;
    // The last limb keeps its sign.
    int digit = k == LIMBS - 1 ? sum : sum & 0xffff;
    if (digit != 0)
        atomic_fetch_add_explicit(&limbs[k], digit, memory_order_relaxed);
}
if (nan != 0) atomic_fetch_add_explicit(&limbs[NOT_NUMBERS], nan, memory_order_relaxed);
if (plus != 0) atomic_fetch_add_explicit(&limbs[PLUS], plus, memory_order_relaxed);
if (minus != 0) atomic_fetch_add_explicit(&limbs[MINUS], minus, memory_order_relaxed);
