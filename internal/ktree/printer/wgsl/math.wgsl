// Functions of floats. WGSL's own are good to 2^-11 for sines, to 4096 units for
// arc tangents, and may take a NaN for a number. Coefficients: coefficients.py.

// The product of two floats, and what rounding took off it. Halves of 12 bits have
// exact products, also where fma is a product and a sum.
fn tw_two_mul(a: f32, b: f32) -> vec2<f32> {
  let p = a * b;
  let ah = bitcast<f32>(bitcast<u32>(a) & 0xfffff000u);
  let bh = bitcast<f32>(bitcast<u32>(b) & 0xfffff000u);
  let al = a - ah;
  let bl = b - bh;
  return vec2<f32>(p, ((ah * bh - p) + ah * bl + al * bh) + al * bl);
}

fn tw_scale(x: f32, n: i32) -> f32 {
  let m = clamp(n, -300i, 300i);
  let first = clamp(m, -126i, 127i);
  let second = clamp(m - first, -126i, 127i);
  let third = clamp(m - first - second, -126i, 127i);
  return x * bitcast<f32>(u32(first + 127i) << 23u) * bitcast<f32>(u32(second + 127i) << 23u) * bitcast<f32>(u32(third + 127i) << 23u);
}

// x - n ln 2, n a whole number of up to 9 bits: the first parts of ln 2 have 15.
fn tw_two_sub(x: f32, n: f32) -> vec2<f32> {
  let first = x - n * 0.693145751953125f;
  let low = n * 1.42860677e-6f;
  let r = first - low;
  return vec2<f32>(r, (first - r) - low);
}

// exp(r) - 1 for |r| up to ln(2)/2.
fn tw_expm1_near(r: f32) -> f32 {
  let p = 0.5f + r * (0.166666672f + r * (0.0416664667f + r * (0.00833331048f + r * (0.00139336416f + r * 0.000198909809f))));
  return r + r * r * p;
}

fn tw_exp(x: f32) -> f32 {
  if (tw_isnan(x)) { return x; }
  let c = clamp(x, -110.0f, 90.0f);
  let n = floor(c * 1.44269502f + 0.5f);
  let r = tw_two_sub(c, n);
  return tw_scale(1.0f + (tw_expm1_near(r.x) + r.y), i32(n));
}

fn tw_expm1(x: f32) -> f32 {
  if (tw_isnan(x) || abs(x) < 1e-8f) { return x; }
  if (abs(x) < 0.34f) { return tw_expm1_near(x); }
  if (x > 60.0f) { return tw_exp(x); }
  let c = max(x, -30.0f);
  let n = floor(c * 1.44269502f + 0.5f);
  let r = tw_two_sub(c, n);
  let q = tw_expm1_near(r.x) + r.y;
  let p = bitcast<f32>(u32(i32(n) + 127i) << 23u);
  return p * q + (p - 1.0f);
}

fn tw_exp2(x: f32) -> f32 {
  if (tw_isnan(x)) { return x; }
  let c = clamp(x, -160.0f, 130.0f);
  let n = floor(c + 0.5f);
  let r = tw_two_mul(c - n, 0.693147182f);
  return tw_scale(1.0f + (tw_expm1_near(r.x) + (r.y + (c - n) * -1.90465421e-9f)), i32(n));
}

// The first 12 bits. What compilers may take for (a + b) - a they cannot see through
// this: parts that rounding took off are found as differences to it.
fn tw_top(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) & 0xfffff000u); }

// log(1 + f) as a number of 12 bits and the rest, for f from sqrt(1/2) - 1 to
// sqrt(2) - 1.
fn tw_log_near(f: f32) -> vec2<f32> {
  let d = 2.0f + f;
  let s = f / d;
  let top = tw_top(s);
  let high = tw_top(f);
  let low = (((f - 2.0f * top) - top * high) - top * (f - high)) / d;
  let z = s * s;
  let rest = s * z * (0.333333343f + z * (0.200000614f + z * (0.142752931f + z * 0.116684057f)));
  return vec2<f32>(2.0f * top, 2.0f * (low + rest));
}

// A positive float is (1 + x) * 2^y.
fn tw_split(x: f32) -> vec2<f32> {
  var b = bitcast<u32>(x);
  var e = -127i;
  if (b < 0x800000u) {
    let zeros = countLeadingZeros(b) - 8u;
    b = b << zeros;
    e = -126i - i32(zeros);
    b = (b & 0x7fffffu);
  } else {
    e += i32(b >> 23u);
    b = b & 0x7fffffu;
  }
  if (b > 0x3504f3u) {
    return vec2<f32>(bitcast<f32>(b | 0x3f000000u) - 1.0f, f32(e + 1i));
  }
  return vec2<f32>(bitcast<f32>(b | 0x3f800000u) - 1.0f, f32(e));
}

// What log functions give where there is no logarithm.
fn tw_log_odd(x: f32) -> f32 {
  let b = bitcast<u32>(x);
  if ((b & 0x7fffffffu) == 0u) { return bitcast<f32>(0xff800000u + (b & 0u)); }
  if (b == 0x7f800000u) { return x; }
  return bitcast<f32>(0x7fc00000u + (b & 0u));
}

fn tw_is_odd(x: f32) -> bool {
  let b = bitcast<u32>(x);
  return b == 0u || b >= 0x7f800000u;
}

fn tw_log(x: f32) -> f32 {
  if (tw_is_odd(x)) { return tw_log_odd(x); }
  let p = tw_split(x);
  let l = tw_log_near(p.x);
  return (p.y * 0.693145751953125f + l.x) + (l.y + p.y * 1.42860677e-6f);
}

fn tw_log1p(x: f32) -> f32 {
  if (tw_isnan(x) || abs(x) < 1e-8f) { return x; }
  if (x > -0.29f && x < 0.41f) {
    let l = tw_log_near(x);
    return l.x + l.y;
  }
  let u = 1.0f + x;
  if (tw_is_odd(u)) { return tw_log_odd(u); }
  let lost = select(x - (u - 1.0f), 1.0f - (u - x), x > 1.0f);
  return tw_log(u) + lost / u;
}

// The logarithm to base 2, as a number of 12 bits and the rest.
fn tw_log2_pair(x: f32) -> vec2<f32> {
  let p = tw_split(x);
  let l = tw_log_near(p.x);
  let high = l.x * 1.4423828125f;
  let low = l.x * 0.000312228393f + l.y * 1.44269502f;
  let top = tw_top((p.y + high) + low);
  return vec2<f32>(top, ((p.y - top) + high) + low);
}

fn tw_log2(x: f32) -> f32 {
  if (tw_is_odd(x)) { return tw_log_odd(x); }
  let l = tw_log2_pair(x);
  return l.x + l.y;
}

fn tw_log10(x: f32) -> f32 {
  if (tw_is_odd(x)) { return tw_log_odd(x); }
  let l = tw_log2_pair(x);
  let p = tw_two_mul(l.x, 0.301029986f);
  return p.x + (p.y + (l.x * 1.43209865e-8f + l.y * 0.301029986f));
}

// Whether a float is whole, and then odd: 0 is not, 1 even, 2 odd.
fn tw_whole(y: f32) -> u32 {
  let a = abs(y);
  if (a >= 16777216.0f) { return 1u; }
  if (floor(a) != a) { return 0u; }
  return 1u + (u32(a) & 1u);
}

fn tw_pow(x: f32, y: f32) -> f32 {
  let bx = bitcast<u32>(x);
  let by = bitcast<u32>(y);
  let ax = bitcast<f32>(bx & 0x7fffffffu);
  let ay = by & 0x7fffffffu;
  if (ay == 0u || bx == 0x3f800000u) { return 1.0f; }
  if (tw_isnan(x) || tw_isnan(y)) { return bitcast<f32>((bx & 0u) | 0x7fc00000u); }
  let up = (by >> 31u) == 0u;
  let inf = bitcast<f32>((bx & 0u) | 0x7f800000u);
  if (ay == 0x7f800000u) {
    if (ax == 1.0f) { return 1.0f; }
    return select(0.0f, inf, (ax > 1.0f) == up);
  }
  let whole = tw_whole(y);
  let negative = (bx >> 31u) != 0u;
  let sign = select(0u, 0x80000000u, negative && whole == 2u);
  if ((bx & 0x7fffffffu) == 0u) { return bitcast<f32>(bitcast<u32>(select(inf, 0.0f, up)) | sign); }
  if ((bx & 0x7fffffffu) == 0x7f800000u) { return bitcast<f32>(bitcast<u32>(select(0.0f, inf, up)) | sign); }
  if (negative && whole == 0u) { return bitcast<f32>((bx & 0u) | 0x7fc00000u); }
  let l = tw_log2_pair(ax);
  let top = tw_top(y);
  let high = top * l.x;
  let low = (y - top) * l.x + y * l.y;
  let rough = high + low;
  if (rough > 200.0f) { return bitcast<f32>(bitcast<u32>(inf) | sign); }
  if (rough < -200.0f) { return bitcast<f32>(sign); }
  let n = floor(rough + 0.5f);
  let r = (high - n) + low;
  let p = tw_two_mul(r, 0.693147182f);
  return bitcast<f32>(bitcast<u32>(tw_scale(1.0f + (tw_expm1_near(p.x) + p.y), i32(n))) | sign);
}

fn tw_exp10(x: f32) -> f32 {
  if (tw_isnan(x)) { return x; }
  let c = clamp(x, -50.0f, 40.0f);
  let t = tw_two_mul(c, 3.32192802f);
  let n = floor(t.x + 0.5f);
  let r = (t.x - n) + (t.y + c * 7.05953696e-8f);
  return tw_scale(1.0f + tw_expm1_near(r * 0.693147182f), i32(n));
}

// An angle from -pi/4 to pi/4, and how many quarters it is off.
struct tw_Angle { r: f32, low: f32, quarter: u32 }

// The angle of a finite x of at least 512: x * 2/pi, in words. Of 2/pi only those 96
// bits are used whose products are neither whole turns nor too small to matter.
fn tw_reduce_far(x: f32) -> tw_Angle {
  var digits = array<u32, 8>(0u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu);
  let b = bitcast<u32>(x);
  let from_bit = ((b >> 23u) & 255u) - 121u;
  let m = (b & 0x7fffffu) | 0x800000u;
  let at = from_bit >> 5u;
  let shift = from_bit & 31u;
  var w = array<u32, 3>();
  for (var i = 0u; i < 3u; i++) {
    w[i] = digits[at + i] << shift;
    if (shift != 0u) { w[i] |= digits[at + i + 1u] >> (32u - shift); }
  }
  // m * w without its lowest word, of which only the carry is needed, and without
  // what is above 64 bits: turns. Three bits of the rest are whole quarters.
  let middle = tw_add(vec2<u32>(m * w[1], tw_mulhi(m, w[1])), vec2<u32>(tw_mulhi(m, w[2]), 0u));
  let q = tw_shl(vec2<u32>(middle.x, m * w[0] + middle.y), 1u);
  var quarter = q.y >> 30u;
  var f = tw_shl(q, 2u);
  var negative = false;
  if ((f.y >> 31u) != 0u) {
    f = tw_neg(f);
    quarter += 1u;
    negative = true;
  }
  let rest = tw_ul2f(f) * 5.421010862427522e-20f;
  let whole = tw_two_mul(rest, 1.57079637f);
  var r = whole.x;
  var tail = whole.y + rest * -4.37113883e-8f;
  if (negative) {
    r = -r;
    tail = -tail;
  }
  if ((b >> 31u) != 0u) { return tw_Angle(-r, -tail, (4u - quarter) & 3u); }
  return tw_Angle(r, tail, quarter & 3u);
}

fn tw_reduce(x: f32) -> tw_Angle {
  if (abs(x) >= 512.0f) { return tw_reduce_far(x); }
  let n = floor(x * 0.636619747f + 0.5f);
  let a = x - n * 1.5703125f;
  let b = a - n * 0.000483751296997f;
  let c = n * 7.54953362e-8f;
  let r = b - c;
  return tw_Angle(r, ((b - r) - c) - n * 2.56334407e-12f, bitcast<u32>(i32(n)) & 3u);
}

fn tw_sin_near(r: f32, low: f32) -> f32 {
  let z = r * r;
  return r + (low + r * z * (-0.166666672f + z * (0.00833333191f + z * (-0.000198400812f + z * 2.72491479e-6f))));
}

fn tw_cos_near(r: f32, low: f32) -> f32 {
  let z = r * r;
  let h = 0.5f * z;
  let w = 1.0f - h;
  return w + (((1.0f - w) - h) + (z * z * (0.0416666679f + z * (-0.00138888881f + z * (2.48005945e-5f + z * -2.73003081e-7f))) - r * low));
}

fn tw_turned(a: tw_Angle) -> f32 {
  var v = 0.0f;
  if ((a.quarter & 1u) == 0u) { v = tw_sin_near(a.r, a.low); } else { v = tw_cos_near(a.r, a.low); }
  return select(v, -v, (a.quarter & 2u) != 0u);
}

fn tw_no_angle(x: f32) -> bool { return (bitcast<u32>(x) & 0x7f800000u) == 0x7f800000u; }

fn tw_nan_of(x: f32) -> f32 { return bitcast<f32>((bitcast<u32>(x) & 0u) | 0x7fc00000u); }

fn tw_sin(x: f32) -> f32 {
  if (tw_no_angle(x)) { return tw_nan_of(x); }
  if (abs(x) < 1e-5f) { return x; }
  return tw_turned(tw_reduce(x));
}

fn tw_cos(x: f32) -> f32 {
  if (tw_no_angle(x)) { return tw_nan_of(x); }
  let a = tw_reduce(x);
  return tw_turned(tw_Angle(a.r, a.low, a.quarter + 1u));
}

fn tw_tan(x: f32) -> f32 {
  if (tw_no_angle(x)) { return tw_nan_of(x); }
  if (abs(x) < 1e-5f) { return x; }
  let a = tw_reduce(x);
  let s = tw_sin_near(a.r, a.low);
  let c = tw_cos_near(a.r, a.low);
  if ((a.quarter & 1u) == 0u) { return s / c; }
  return -c / s;
}

fn tw_signed(x: f32, sign: f32) -> f32 { return bitcast<f32>((bitcast<u32>(x) & 0x7fffffffu) | (bitcast<u32>(sign) & 0x80000000u)); }

fn tw_sinh(x: f32) -> f32 {
  let a = abs(x);
  if (tw_isnan(x) || a < 1e-5f) { return x; }
  if (a > 60.0f) {
    let h = tw_exp(0.5f * a);
    return tw_signed(0.5f * h * h, x);
  }
  let e = tw_expm1(a);
  return tw_signed(0.5f * (e + e / (e + 1.0f)), x);
}

fn tw_cosh(x: f32) -> f32 {
  if (abs(x) > 60.0f) {
    let h = tw_exp(0.5f * abs(x));
    return 0.5f * h * h;
  }
  let e = tw_exp(abs(x));
  return 0.5f * (e + 1.0f / e);
}

fn tw_tanh(x: f32) -> f32 {
  let a = abs(x);
  if (tw_isnan(x) || a < 1e-5f) { return x; }
  if (a > 10.0f) { return tw_signed(1.0f, x); }
  let e = tw_expm1(2.0f * a);
  return tw_signed(e / (e + 2.0f), x);
}

// atan of a float from 0 to 1.
fn tw_atan_near(t: f32) -> f32 {
  var base = 0.0f;
  var u = t;
  if (t > 0.414213568f) {
    base = 0.785398185f;
    u = (t - 1.0f) / (t + 1.0f);
  }
  let z = u * u;
  return base + (u + u * z * (-0.333333343f + z * (0.199999765f + z * (-0.142841443f + z * (0.110712267f + z * (-0.0862364396f + z * 0.050454773f))))));
}

fn tw_atan2(y: f32, x: f32) -> f32 {
  if (tw_isnan(x) || tw_isnan(y)) { return tw_nan_of(x); }
  let left = (bitcast<u32>(x) >> 31u) != 0u;
  let equal = tw_isinf(x) && tw_isinf(y); // then as of ones
  let ax = select(abs(x), 1.0f, equal);
  let ay = select(abs(y), 1.0f, equal);
  // NVIDIA's driver multiplies by 1/b, which is zero if b is above 2^126.
  let scale = select(1.0f, 5.42101086e-20f, max(ax, ay) > 1.84467441e19f);
  var v = 0.0f;
  if (ay == 0.0f || (tw_isinf(ax) && !tw_isinf(ay))) {
    v = 0.0f;
  } else if (ax == 0.0f || tw_isinf(ay)) {
    v = 1.57079637f;
  } else if (ay <= ax) {
    // Divided once more where the quotient would be too small to have all bits.
    if (ay < ax * 1e-5f && !left) { return tw_signed(tw_fdiv(ay, ax), y); }
    v = tw_atan_near((ay * scale) / (ax * scale));
  } else {
    v = 1.57079637f - (tw_atan_near((ax * scale) / (ay * scale)) - -4.37113883e-8f);
  }
  if (left) { v = 3.14159274f - (v - -8.74227766e-8f); }
  return tw_signed(v, y);
}

fn tw_atan(x: f32) -> f32 {
  if (abs(x) < 1e-4f) { return x; }
  return tw_atan2(x, 1.0f);
}

fn tw_asin(x: f32) -> f32 {
  let a = abs(x);
  if (a > 1.0f) { return tw_nan_of(x); }
  return tw_atan2(x, sqrt((1.0f - a) * (1.0f + a)));
}

fn tw_acos(x: f32) -> f32 {
  let a = abs(x);
  if (a > 1.0f) { return tw_nan_of(x); }
  return tw_atan2(sqrt((1.0f - a) * (1.0f + a)), x);
}

fn tw_erf(x: f32) -> f32 {
  let a = abs(x);
  if (tw_isnan(x)) { return x; }
  if (a < 1.0f) {
    let z = a * a;
    return x + x * (0.128379166f + z * (-0.376126379f + z * (0.112837821f + z * (-0.0268654302f + z * (0.00522103161f + z * (-0.000848408032f + z * (0.000112659589f + z * -9.66704465e-6f)))))));
  }
  if (a >= 4.0f) { return tw_signed(1.0f, x); }
  var p = 0.0f;
  if (a < 2.0f) {
    let t = a - 1.5f;
    p = 3.38449216f + t * (3.50880075f + t * (0.892640352f + t * (0.0258241221f + t * (-0.0060067405f + t * (0.00125747675f + t * (-0.000216051063f + t * (2.10995549e-5f + t * 3.11310168e-6f)))))));
  } else {
    let t = a - 3.0f;
    p = 10.7203627f + t * (6.30375385f + t * (0.957394242f + t * (0.00741195446f + t * (-0.00135331508f + t * (0.000245465373f + t * (-4.30646978e-5f + t * (7.4188747e-6f + t * -1.09291977e-6f)))))));
  }
  return tw_signed(1.0f - tw_exp(-p), x);
}

fn tw_fmin(a: f32, b: f32) -> f32 {
  if (tw_isnan(a)) { return b; }
  return select(a, b, b < a);
}

fn tw_fmax(a: f32, b: f32) -> f32 {
  if (tw_isnan(a)) { return b; }
  return select(a, b, a < b);
}

// The remainder of a quotient towards zero, exactly: significands are divided bit
// by bit.
fn tw_fmod(x: f32, y: f32) -> f32 {
  let ax = bitcast<u32>(x) & 0x7fffffffu;
  let ay = bitcast<u32>(y) & 0x7fffffffu;
  if (ax >= 0x7f800000u || ay > 0x7f800000u || ay == 0u) { return tw_nan_of(x); }
  if (ax < ay) { return x; }
  var ex = max(ax >> 23u, 1u);
  let ey = max(ay >> 23u, 1u);
  var m = (ax & 0x7fffffu) | select(0u, 0x800000u, ax >= 0x800000u);
  let n = (ay & 0x7fffffu) | select(0u, 0x800000u, ay >= 0x800000u);
  m = m % n;
  while (ex > ey && m != 0u) {
    m = m << 1u;
    if (m >= n) { m -= n; }
    ex -= 1u;
  }
  if (m == 0u) { return bitcast<f32>(bitcast<u32>(x) & 0x80000000u); }
  var e = ey;
  let zeros = min(countLeadingZeros(m) - 8u, e - 1u);
  m = m << zeros;
  e -= zeros;
  return bitcast<f32>((bitcast<u32>(x) & 0x80000000u) | select(m, (m & 0x7fffffu) | (e << 23u), m >= 0x800000u));
}

// x * 2^n, rounded once: in parts, of which only the last can leave the range.
fn tw_scalbn(x: f32, n: f32) -> f32 { return tw_scale(x, i32(clamp(n, -300.0f, 300.0f))); }

fn tw_ilogb(x: f32) -> f32 {
  let b = bitcast<u32>(x) & 0x7fffffffu;
  if (b >= 0x800000u) { return f32(i32(b >> 23u) - 127i); }
  return f32(-118i - i32(countLeadingZeros(b)));
}

// Quotients and roots are rounded to nearest: Vulkan asks drivers for 2.5 units in the
// last place. The driver's result is mended in integers. What is not a normal number is
// left to the driver.
fn tw_fdiv(a: f32, b: f32) -> f32 {
  let x = bitcast<u32>(a);
  let y = bitcast<u32>(b);
  let ex = (x >> 23u) & 255u;
  let ey = (y >> 23u) & 255u;
  let mx = (x & 0x7fffffu) | 0x800000u;
  let my = (y & 0x7fffffu) | 0x800000u;
  let less = select(0u, 1u, mx < my);
  let near = bitcast<f32>((x & 0x7fffffu) | 0x3f800000u) / bitcast<f32>((y & 0x7fffffu) | 0x3f800000u);
  var q = u32(near * select(8388608.0f, 16777216.0f, mx < my));
  let by = bitcast<i32>(my);
  var rest = bitcast<i32>((mx << (23u + less)) - q * my); // small: what overflows cancels
  for (var i = 0u; i < 4u; i++) {
    let low = rest < 0i;
    let high = rest >= by;
    q = select(select(q, q + 1u, high), q - 1u, low);
    rest = select(select(rest, rest - by, high), rest + by, low);
  }
  let e = bitcast<i32>(ex) - bitcast<i32>(ey) + 127i - bitcast<i32>(less);
  let n = bitcast<u32>(clamp(1i - e, 0i, 26i)); // bits that a subnormal number has less
  let t = (q << 2u) | select(0u, 2u, 2i * rest >= by) | select(0u, 1u, (rest != 0i) & (2i * rest != by));
  let kept = t >> (n + 2u);
  let half = 2u << n;
  let lost = t & (2u * half - 1u);
  let up = select(0u, 1u, (lost > half) | ((lost == half) & ((kept & 1u) != 0u)));
  let r = select((bitcast<u32>(max(e - 1i, 0i)) << 23u) + kept + up, 0x7f800000u, e >= 255i);
  let sign = (x ^ y) & 0x80000000u;
  let normal = (ex - 1u < 254u) & (ey - 1u < 254u);
  // Adapters multiply by 1/b, which of infinity and a large number is no number.
  let ax = x & 0x7fffffffu;
  let ay = y & 0x7fffffffu;
  let special = (ex == 255u) | (ey == 255u) | (ax == 0u) | (ay == 0u);
  let none = (ax > 0x7f800000u) | (ay > 0x7f800000u) | ((ax == ay) & special);
  let infinite = (ex == 255u) | (ay == 0u);
  let s = select(select(0u, 0x7f800000u, infinite) | sign, 0x7fc00000u, none);
  return select(select(a / b, bitcast<f32>(s), special), bitcast<f32>(r | sign), normal);
}

fn tw_sqrt(a: f32) -> f32 {
  let x = bitcast<u32>(a);
  let e = bitcast<i32>((x >> 23u) & 255u) - 127i;
  let odd = bitcast<u32>(e) & 1u;
  let m = ((x & 0x7fffffu) | 0x800000u) << odd;
  var root = i32(sqrt(bitcast<f32>((x & 0x7fffffu) | (0x3f800000u + (odd << 23u)))) * 8388608.0f);
  var rest = bitcast<i32>((m << 23u) - bitcast<u32>(root * root)); // small: what overflows cancels
  for (var i = 0u; i < 4u; i++) {
    let low = rest < 0i;
    root = select(root, root - 1i, low);
    rest = select(rest, rest + 2i * root + 1i, low);
    let high = rest > 2i * root;
    rest = select(rest, rest - 2i * root - 1i, high);
    root = select(root, root + 1i, high);
  }
  let r = (bitcast<u32>((e - bitcast<i32>(odd)) / 2i + 126i) << 23u) + bitcast<u32>(root) + select(0u, 1u, rest > root);
  return select(sqrt(a), bitcast<f32>(r), (x - 0x800000u) < 0x7f000000u);
}
