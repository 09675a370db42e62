// The lane that meets lane in a round of a tournament of Q + 1, where Q is odd: after Q rounds each has met each.
int opponent(int lane, int round) {
    int other = lane == Q ? (round + Q * (round & 1)) / 2 : (round + 2 * Q - lane) % Q;
    return other == lane ? Q : other;
}
// What brings matrices into the range of squares, a power of two.
S lift_of(S most) {
    S near = S(1099511627776.0);
    for (int i = 0; i < SQUARINGS; i++)
        near *= near;
    S far = near * near;
    return most > near ? 1 / far : most < 1 / near && most > 0 ? far : S(1);
}
// The turn x' = c x - (sr + i si) y that makes rows x and y orthogonal, of which the cosine is cr + i ci, by the first of them; the other
// turns y and x. apart is the difference of their squares, y's less x's, over the product of their lengths. It is found in float, which leaves a
// millionth of the cosine for the next sweep to see to; that it is a turn is mended in S. The result is the square of how
// much of other cosines it brings back.
float turn(float cr, float ci, float apart, bool first, thread S& c, thread S& sr, thread S& si) {
    float far = fabs(apart);
    // The tangent of twice the angle is twice the cosine over apart. Squares of what is far would overflow.
    float root = inverse_root(far);
    float longest = far > 1e6f ? root * root : inverse_root(fma(apart, apart, 4 * fma(cr, cr, ci * ci)));
    float half = fma(0.5f * far, longest, 0.5f);
    float by = inverse_root(half);
    S tangent = S((apart < 0 || (apart == 0 && !first) ? -longest : longest) * by);
    c = S(half * by);
    sr = S(cr) * tangent;
    si = -S(ci) * tangent;
    S square = fma(sr, sr, si * si);
    S off = fma(c, c, square - 1);
    S mend = fma(off, fma(off, S(0.375), S(-0.5)), S(1));
    c *= mend;
    sr *= mend;
    si *= mend;
    S more = S(1 + far);
    return float(square * more * more);
}
// The number x + i y of a row after its turn with u + i v of the other.
void rotate(thread S& x, thread S& y, S u, S v, S c, S sr, S si) {
    x = fma(c, x, fma(si, v, -(sr * u)));
    y = fma(c, y, -fma(sr, v, si * u));
}
