// The nearest float32 to a sum in limbs, ties to even.
int digit[LIMBS];
bool negative = limbs[LIMBS - 1] < 0;
long carry = 0;
for (int pass = 0; pass < 2; pass++) {
    carry = 0;
    for (int k = 0; k < LIMBS; k++) {
        long sum = (negative ? -long(limbs[k]) : long(limbs[k])) + carry;
        digit[k] = int(sum & 0xffff);
        carry = sum >> 16;
    }
    // Carries may turn the sign of what its own last limb did not show.
    if (carry >= 0)
        break;
    negative = !negative;
}
int top = LIMBS - 1;
//twiddle:ignore TWK02 the first digit that counts is found by looking
while (top > 3 && digit[top] == 0)
    top--;
ulong d = ulong(digit[top]) << 48 | ulong(digit[top - 1]) << 32 | ulong(digit[top - 2]) << 16 | ulong(digit[top - 3]);
bool more = false; // anything below d
for (int k = 0; k < top - 3; k++)
    more = more || digit[k] != 0;
uint bits = 0;
if (d != 0) {
    int zeros = int(clz(d));
    d <<= zeros;
    int e = 16 * (top - 3) + 63 - zeros - 298;
    int shift = 40 + max(0, -126 - e);
    ulong q = shift > 63 ? 0ul : d >> shift;
    ulong rest = shift > 63 ? d : d & ((1ul << shift) - 1ul);
    ulong tie = shift > 64 ? 0ul : 1ul << (shift - 1);
    bool up = shift <= 64 && (rest > tie || rest == tie && (more || (q & 1ul) != 0));
    if (up) q += 1ul;
    bits = e > 127 ? 0x7f800000u : uint(q);
    // The hidden bit of q adds the missing one to the exponent.
    if (e <= 127 && e >= -126) bits += uint(e + 126) << 23;
}
if (negative) bits |= 0x80000000u;
float value = as_type<float>(bits);
if (limbs[NOT_NUMBERS] > 0 || limbs[PLUS] > 0 && limbs[MINUS] > 0) value = NAN;
else if (limbs[PLUS] > 0) value = INFINITY;
else if (limbs[MINUS] > 0) value = -INFINITY;
y[0] = value;
