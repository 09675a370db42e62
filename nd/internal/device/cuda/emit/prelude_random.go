package emit

// randomParts draw the very bits that package philox draws. Normal numbers are
// part of that: their logarithm and cosine are the polynomials of Go's math
// (FreeBSD's e_log and Cephes' cos), operation by operation, for the arguments
// that occur here. The text is compiled without contraction.
var randomParts = []part{
	{"philox", "", `TW uint4 philox(u64 key, u64 counter) {
  u32 a = (u32)counter, b = (u32)(counter >> 32), c = 0, d = 0, k = (u32)key, l = (u32)(key >> 32);
#pragma unroll
  for (int i = 0; i < 10; i++) {
    u32 h0 = __umulhi(0xD2511F53u, a), l0 = 0xD2511F53u * a, h1 = __umulhi(0xCD9E8D57u, c), l1 = 0xCD9E8D57u * c;
    a = h1 ^ b ^ k; b = l1; c = h0 ^ d ^ l; d = l0;
    k += 0x9E3779B9u; l += 0xBB67AE85u;
  }
  return make_uint4(a, b, c, d);
}
TW u64 words(u32 low, u32 high) { return (u64)high << 32 | low; }
`},
	{"rand_uniform_f32", "philox", `TW float rand_uniform_f32(u64 key, u64 n) { return (float)(philox(key, n).x >> 8) * 0x1p-24f; }
`},
	{"rand_uniform_f64", "philox", `TW double rand_uniform_f64(u64 key, u64 n) { uint4 b = philox(key, n); return (double)(words(b.x, b.y) >> 11) * 0x1p-53; }
`},
	{"rand_normal", "philox", `TW double unit_log(double x) {
  u64 bits = (u64)__double_as_longlong(x);
  double f = __longlong_as_double((i64)((bits & 0x000fffffffffffffull) | 0x3fe0000000000000ull));
  double k = (double)((int)(bits >> 52 & 0x7ff) - 0x3fe);
  if (f < 7.07106781186547524401e-01) { f *= 2; k -= 1; }
  f -= 1;
  double s = f / (2 + f), s2 = s * s, s4 = s2 * s2;
  double t1 = s2 * (6.666666666666735130e-01 + s4 * (2.857142874366239149e-01 + s4 * (1.818357216161805012e-01 + s4 * 1.479819860511658591e-01)));
  double t2 = s4 * (3.999999999940941908e-01 + s4 * (2.222219843214978396e-01 + s4 * 1.531383769920937332e-01));
  double r = t1 + t2, h = 0.5 * f * f;
  return k * 6.93147180369123816490e-01 - ((h - (s * (h + r) + k * 1.90821492927058770002e-10)) - f);
}
TW double turn_cos(double x) {
  u32 j = (u32)(x * 1.27323954473516268615);
  j += j & 1;
  double y = (double)j, z = ((x - y * 7.85398125648498535156e-1) - y * 3.77489470793079817668e-8) - y * 2.69515142907905952645e-15;
  j &= 7;
  bool negative = j > 3;
  if (negative) j -= 4;
  if (j > 1) negative = !negative;
  double zz = z * z;
  if (j == 1 || j == 2)
    y = z + z * zz * ((((((1.58962301576546568060e-10 * zz) + -2.50507477628578072866e-8) * zz + 2.75573136213857245213e-6) * zz + -1.98412698295895385996e-4) * zz + 8.33333333332211858878e-3) * zz + -1.66666666666666307295e-1);
  else
    y = 1.0 - 0.5 * zz + zz * zz * ((((((-1.13585365213876817300e-11 * zz) + 2.08757008419747316778e-9) * zz + -2.75573141792967388112e-7) * zz + 2.48015872888517045348e-5) * zz + -1.38888888888730564116e-3) * zz + 4.16666666666665929218e-2);
  return negative ? -y : y;
}
TW double rand_normal(u64 key, u64 n) {
  uint4 b = philox(key, n);
  double u = (double)((words(b.x, b.y) >> 11) + 1) * 0x1p-53, v = (double)(words(b.z, b.w) >> 11) * 0x1p-53;
  return sqrt(-2 * unit_log(u)) * turn_cos(6.28318530717958647693 * v);
}
`},
	{"rand_int", "philox", `TW i64 rand_int(u64 key, u64 n, arg bounds) {
  i64 lo = (i64)bounds.a, hi = (i64)bounds.b;
  if (hi <= lo) return lo;
  uint4 b = philox(key, n);
  return (i64)((u64)lo + __umul64hi(words(b.x, b.y), (u64)hi - (u64)lo));
}
`},
}
