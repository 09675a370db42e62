// A float32 is mantissa * 2^(exponent - 150), the exponent from 1 to 254; a
// product of two is a whole number of 2^-298. Sums of such products are kept
// exactly as LIMBS digits of 16 bits, limb i worth 2^(16 i - 298). The largest
// product ends below bit 554, which leaves 86 bits for carries.
constant int LIMBS = 40;
constant int NOT_NUMBERS = 40; // counts of NaN, +Inf and -Inf follow the limbs
constant int PLUS = 41;
constant int MINUS = 42;

uint mantissa(uint bits) {
    uint m = bits & 0x7fffffu;
    return (bits >> 23 & 255u) == 0 ? m : m | 0x800000u;
}

int exponent(uint bits) {
    return max(int(bits >> 23 & 255u), 1);
}
