package emit

// complexParts are the functions of complex numbers. What needs more than a
// few operations is computed in double for both types and rounded once, as on
// the CPU; the rest is careful with numbers whose squares overflow or vanish.
var complexParts = []part{
	// plain tells magnitudes whose squares, and sums and quotients of those,
	// are ordinary numbers.
	{"plain", "", `TW bool plain(float m) { return m > 0x1p-30f && m < 0x1p30f; }
TW bool plain(double m) { return m > 0x1p-250 && m < 0x1p250; }
TW float part_max(c64 z) { return fmaxf(fabsf(z.re), fabsf(z.im)); }
TW double part_max(c128 z) { return fmax(fabs(z.re), fabs(z.im)); }
template <class R> TW cx<R> scaled(cx<R> z, int e) { return {(R)scalbn(z.re, e), (R)scalbn(z.im, e)}; }
template <class R> TW bool is_finite(R x) { return x - x == 0; }
`},
	{"c_abs", "plain", `template <class R> TW R c_abs(cx<R> z) {
  R m = part_max(z);
  if (plain(m) && z.re == z.re && z.im == z.im) return sqrt(z.re * z.re + z.im * z.im);
  if (isinf(z.re) || isinf(z.im)) return (R)1 / (R)0;
  if (m == 0 || z.re != z.re || z.im != z.im) return fabs(z.re) + fabs(z.im);
  int e = ilogb(m);
  z = scaled(z, -e);
  return scalbn(sqrt(z.re * z.re + z.im * z.im), e);
}
`},
	{"c_div", "plain", `template <class R> TW cx<R> c_quotient(cx<R> z, cx<R> w) {
  R d = w.re * w.re + w.im * w.im;
  return {(z.re * w.re + z.im * w.im) / d, (z.im * w.re - z.re * w.im) / d};
}
template <class R> TW cx<R> c_units(cx<R> z) {
  return {(R)copysign(isinf(z.re) ? (R)1 : (R)0, z.re), (R)copysign(isinf(z.im) ? (R)1 : (R)0, z.im)};
}
template <class R> TW cx<R> c_div(cx<R> z, cx<R> w) {
  R m = part_max(z), n = part_max(w);
  if (plain(m) && plain(n)) return c_quotient(z, w);
  if (w.re != w.re || w.im != w.im || z.re != z.re || z.im != z.im) return {w.re + z.re + w.im + z.im, w.re + z.re + w.im + z.im};
  if (n == 0) return {z.re / w.re, z.im / w.re};
  if (m == 0) return {(R)0, (R)0};
  if (isinf(m) || isinf(n)) {
    if (isinf(m) && isinf(n)) return {m - m, m - m};
    cx<R> q = isinf(m) ? c_quotient(c_units(z), scaled(w, -ilogb(n))) : c_quotient(scaled(z, -ilogb(m)), c_units(w));
    return isinf(m) ? cx<R>{m * q.re, m * q.im} : cx<R>{0 * q.re, 0 * q.im};
  }
  int e = ilogb(m), f = ilogb(n);
  return scaled(c_quotient(scaled(z, -e), scaled(w, -f)), e - f);
}
`},
	{"c_sign", "c_abs", `template <class R> TW cx<R> c_sign(cx<R> z) {
  if (z.re == 0 && z.im == 0) return {(R)0, (R)0};
  R m = part_max(z);
  if (!plain(m) && is_finite(m) && m > 0) z = scaled(z, -ilogb(m));
  R a = c_abs(z);
  return {z.re / a, z.im / a};
}
`},
	{"c_exp", "", `TW void sin_cos(float x, float* s, float* c) { sincosf(x, s, c); }
TW void sin_cos(double x, double* s, double* c) { sincos(x, s, c); }
template <class R> TW cx<R> c_exp(cx<R> z) {
  if (z.im == 0) return {exp(z.re), z.im};
  R s, c;
  sin_cos(z.im, &s, &c);
  if (z.re > (R)80) { R h = exp(z.re / 2); return {h * c * h, h * s * h}; }
  R e = exp(z.re);
  return {e * c, e * s};
}
`},
	// Close to modulus 1 what is small beside 1 counts.
	{"c_log", "c_abs", `TW c128 c_log(c128 z) {
  double a = fabs(z.re), b = fabs(z.im), m = fmax(a, b), n = fmin(a, b);
  return {m > 0.5 && m < 2 && n == n ? 0.5 * log1p((m - 1) * (m + 1) + n * n) : log(c_abs(z)), atan2(z.im, z.re)};
}
TW c64 c_log(c64 z) {
  double x = z.re, y = z.im;
  float m = part_max(z);
  return {m - m == 0 ? (float)(0.5 * log(x * x + y * y)) : logf(c_abs(z)), atan2f(z.im, z.re)};
}
`},
	{"c_sqrt", "c_abs", `template <class R> TW cx<R> c_sqrt(cx<R> z) {
  if (z.re == 0 && z.im == 0) return {(R)0, z.im};
  if (isinf(z.im)) return {fabs(z.im), z.im};
  if (isinf(z.re)) return z.re > 0 ? cx<R>{z.re, (R)copysign((R)0, z.im)} : cx<R>{(R)0, (R)copysign(z.re, z.im)};
  R m = part_max(z);
  int e = 0;
  if (!plain(m)) { e = ilogb(m) & ~1; z = scaled(z, -e); }
  R t = sqrt((fabs(z.re) + c_abs(z)) * (R)0.5), u = z.im / (2 * t);
  cx<R> r = z.re >= 0 ? cx<R>{t, u} : cx<R>{(R)fabs(u), (R)copysign(t, z.im)};
  return e == 0 ? r : scaled(r, e / 2);
}
`},
	{"c_rsqrt", "c_sqrt c_div", `template <class R> TW cx<R> c_rsqrt(cx<R> z) { return c_div(cx<R>{(R)1, (R)0}, c_sqrt(z)); }
`},
	{"c_sin", "c_exp", `TW c128 c_sin(c128 z) { double s, c; sin_cos(z.re, &s, &c); return {s * cosh(z.im), c * sinh(z.im)}; }
TW c64 c_sin(c64 z) { c128 w = c_sin(c128{z.re, z.im}); return {(float)w.re, (float)w.im}; }
`},
	{"c_cos", "c_exp", `TW c128 c_cos(c128 z) { double s, c; sin_cos(z.re, &s, &c); return {c * cosh(z.im), -s * sinh(z.im)}; }
TW c64 c_cos(c64 z) { c128 w = c_cos(c128{z.re, z.im}); return {(float)w.re, (float)w.im}; }
`},
	// W. Kahan, "Branch cuts for complex elementary functions" (1987).
	{"c_tanh", "", `TW c128 c_tanh(c128 z) {
  if (fabs(z.re) > 22) return {copysign(1.0, z.re), copysign(0.0, z.im)};
  double t = tan(z.im), b = 1 + t * t, s = sinh(z.re), r = sqrt(1 + s * s), d = 1 + b * s * s;
  return {b * r * s / d, t / d};
}
TW c64 c_tanh(c64 z) { c128 w = c_tanh(c128{z.re, z.im}); return {(float)w.re, (float)w.im}; }
`},
	{"c_tan", "c_tanh", `template <class R> TW cx<R> c_tan(cx<R> z) { cx<R> w = c_tanh(cx<R>{-z.im, z.re}); return {w.im, -w.re}; }
`},
	// The poles are where 1 + e cos(y) and e sin(y) vanish, with e = exp(-|x|).
	// The first is (1 - e) + 2 e cos(y/2)^2, which cancels nothing.
	{"c_sigmoid", "c_exp", `TW c128 c_sigmoid(c128 z) {
  double m = -fabs(z.re), e = exp(m), f = expm1(m), s, c;
  sin_cos(z.im / 2, &s, &c);
  double a = 2 * e * c * c - f, b = 2 * e * s * c, d = a * a + b * b;
  return {(z.re < 0 ? e * (2 * c * c + f) : a) / d, b / d};
}
TW c64 c_sigmoid(c64 z) { c128 w = c_sigmoid(c128{z.re, z.im}); return {(float)w.re, (float)w.im}; }
`},
	{"c_pow", "c_abs c_exp", `TW c128 c_pow(c128 z, c128 w) {
  if (z.re == 0 && z.im == 0) {
    if (w.re == 0 && w.im == 0) return {1, 0};
    return w.re < 0 ? c128{1.0 / 0.0, w.im == 0 ? 0 : 1.0 / 0.0} : c128{0, 0};
  }
  double m = c_abs(z), a = atan2(z.im, z.re), r = pow(m, w.re), t = w.re * a, s, c;
  if (w.im != 0) { r *= exp(-w.im * a); t += w.im * log(m); }
  sin_cos(t, &s, &c);
  return {r * c, r * s};
}
TW c64 c_pow(c64 z, c64 w) { c128 p = c_pow(c128{z.re, z.im}, c128{w.re, w.im}); return {(float)p.re, (float)p.im}; }
`},
}
