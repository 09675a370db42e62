// Floats of 64 bits, in integers: for the few steps that a kernel takes in double.
// A number is sign, exponent and significand, whose leading one is the top bit:
// significand / 2^63 * 2^exponent.

struct tw_Double { negative: u32, e: i32, m: vec2<u32>, kind: u32 }

// kind: 0 is zero, 1 finite, 2 infinite, 3 NaN. Of zero the significand is zero, and
// the exponent below all others.
fn tw_parts(a: vec2<u32>) -> tw_Double {
  let e = (a.y >> 20u) & 0x7ffu;
  let m = vec2<u32>(a.x, a.y & 0xfffffu);
  let empty = (m.x | m.y) == 0u;
  let whole = vec2<u32>(m.x, m.y | select(0x100000u, 0u, e == 0u));
  let zeros = tw_clz(whole);
  let kind = select(select(1u, 0u, (e == 0u) & empty), select(3u, 2u, empty), e == 0x7ffu);
  return tw_Double(a.y >> 31u, max(i32(e), 1i) - 1012i - i32(zeros), tw_shl(whole, zeros), kind);
}

// A shift to the right that keeps in the last bit whether ones were lost.
fn tw_jam(a: vec2<u32>, by: u32) -> vec2<u32> {
  let n = min(by, 63u); // one that is left then is the last bit
  let kept = tw_shr(a, n);
  return vec2<u32>(kept.x | select(0u, 1u, any(tw_shl(kept, n) != a)), kept.y);
}

fn tw_dinf(negative: u32) -> vec2<u32> { return vec2<u32>(0u, 0x7ff00000u | (negative << 31u)); }

fn tw_dnan() -> vec2<u32> { return vec2<u32>(0u, 0x7ff80000u); }

fn tw_round(negative: u32, exponent: i32, significand: vec2<u32>) -> vec2<u32> {
  let sign = negative << 31u;
  let zeros = tw_clz(significand);
  let biased = exponent - i32(zeros) + 1023i;
  let m = tw_jam(tw_shl(significand, zeros), u32(clamp(1i - biased, 0i, 64i)));
  let rest = m.x & 0x7ffu;
  let kept = tw_shr(m, 11u);
  let up = select(0u, 1u, (rest > 0x400u) | ((rest == 0x400u) & ((kept.x & 1u) != 0u)));
  let rounded = tw_add(kept, vec2<u32>(up, 0u));
  let r = vec2<u32>(rounded.x, (rounded.y + (u32(clamp(biased, 1i, 2047i) - 1i) << 20u)) | sign);
  let finite = select(r, tw_dinf(negative), biased >= 2047i);
  return select(finite, vec2<u32>(0u, sign), (significand.x | significand.y) == 0u);
}

fn tw_dneg(a: vec2<u32>) -> vec2<u32> { return vec2<u32>(a.x, a.y ^ 0x80000000u); }

fn tw_dabs(a: vec2<u32>) -> vec2<u32> { return vec2<u32>(a.x, a.y & 0x7fffffffu); }

fn tw_dadd(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let p = tw_parts(a);
  let q = tw_parts(b);
  let swapped = (p.e < q.e) | ((p.e == q.e) & tw_ult(p.m, q.m));
  let most = max(p.e, q.e);
  let least = min(p.e, q.e);
  let big = tw_shr(select(p.m, q.m, swapped), 1u);
  let small = tw_jam(tw_shr(select(q.m, p.m, swapped), 1u), u32(most - least));
  let same = p.negative == q.negative;
  let sum = select(tw_sub(big, small), tw_add(big, small), same);
  let cancelled = !same & ((sum.x | sum.y) == 0u);
  let r = tw_round(select(select(p.negative, q.negative, swapped), 0u, cancelled), most + 1i, sum);
  let endless = select(select(b, a, p.kind == 2u), tw_dnan(), (p.kind == 3u) | (q.kind == 3u) | ((p.kind == q.kind) & !same));
  return select(r, endless, (p.kind >= 2u) | (q.kind >= 2u));
}

fn tw_dsub(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> { return tw_dadd(a, tw_dneg(b)); }

fn tw_dmul(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let x = tw_parts(a);
  let y = tw_parts(b);
  let negative = x.negative ^ y.negative;
  let low = tw_mul(x.m, y.m);
  let high = tw_umulhi(x.m, y.m);
  let r = tw_round(negative, x.e + y.e + 1i, vec2<u32>(high.x | select(0u, 1u, (low.x | low.y) != 0u), high.y));
  let endless = select(tw_dinf(negative), tw_dnan(), (x.kind == 3u) | (y.kind == 3u) | (x.kind == 0u) | (y.kind == 0u));
  return select(r, endless, (x.kind >= 2u) | (y.kind >= 2u));
}

fn tw_ddiv(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let x = tw_parts(a);
  let y = tw_parts(b);
  let negative = x.negative ^ y.negative;
  var rest = tw_shr(x.m, 2u);
  let by = tw_shr(y.m, 2u);
  var q = vec2<u32>(0u, 0u);
  for (var i = 0u; i < 58u; i++) {
    let fits = !tw_ult(rest, by);
    q = tw_shl(q, 1u) | vec2<u32>(select(0u, 1u, fits), 0u);
    rest = tw_shl(select(rest, tw_sub(rest, by), fits), 1u);
  }
  q.x |= select(0u, 1u, (rest.x | rest.y) != 0u);
  var r = tw_round(negative, x.e - y.e + 6i, q);
  r = select(r, vec2<u32>(0u, negative << 31u), (x.kind == 0u) | (y.kind == 2u));
  r = select(r, tw_dinf(negative), (x.kind == 2u) | (y.kind == 0u));
  return select(r, tw_dnan(), (x.kind == 3u) | (y.kind == 3u) | ((x.kind == y.kind) & (x.kind != 1u)));
}

fn tw_dsqrt(a: vec2<u32>) -> vec2<u32> {
  let x = tw_parts(a);
  let odd = (x.e & 1i) != 0i;
  var m = select(tw_shr(x.m, 1u), x.m, odd);
  let e = select(x.e, x.e - 1i, odd);
  var rest = vec2<u32>(0u, 0u);
  var root = vec2<u32>(0u, 0u);
  for (var i = 0u; i < 56u; i++) {
    rest = tw_shl(rest, 2u) | vec2<u32>(m.y >> 30u, 0u);
    m = tw_shl(m, 2u);
    let trial = tw_shl(root, 2u) | vec2<u32>(1u, 0u);
    let fits = !tw_ult(rest, trial);
    root = tw_shl(root, 1u) | vec2<u32>(select(0u, 1u, fits), 0u);
    rest = select(rest, tw_sub(rest, trial), fits);
  }
  root.x |= select(0u, 1u, (rest.x | rest.y) != 0u);
  let r = tw_round(0u, e / 2i + 8i, root);
  let endless = (x.kind == 2u) & (x.negative == 0u);
  return select(select(r, tw_dnan(), x.negative != 0u), a, (x.kind == 0u) | (x.kind == 3u) | endless);
}

fn tw_disnan(a: vec2<u32>) -> bool { return tw_ult(vec2<u32>(0u, 0x7ff00000u), tw_dabs(a)); }

fn tw_disinf(a: vec2<u32>) -> bool { return all(tw_dabs(a) == vec2<u32>(0u, 0x7ff00000u)); }

fn tw_dtruth(a: vec2<u32>) -> bool { return any(tw_dabs(a) != vec2<u32>(0u, 0u)); }

fn tw_deq(a: vec2<u32>, b: vec2<u32>) -> bool {
  return !tw_disnan(a) & !tw_disnan(b) & (all(a == b) | (!tw_dtruth(a) & !tw_dtruth(b)));
}

fn tw_dlt(a: vec2<u32>, b: vec2<u32>) -> bool {
  let below = (a.y >> 31u) != 0u;
  let apart = (a.y >> 31u) != (b.y >> 31u);
  let less = select(select(tw_ult(a, b), tw_ult(b, a), below), below, apart);
  return less & !tw_disnan(a) & !tw_disnan(b) & (tw_dtruth(a) | tw_dtruth(b));
}

fn tw_dle(a: vec2<u32>, b: vec2<u32>) -> bool { return tw_dlt(a, b) | tw_deq(a, b); }

fn tw_dmin(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  if (tw_disnan(a)) { return b; }
  return select(a, b, tw_dlt(b, a));
}

fn tw_dmax(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  if (tw_disnan(a)) { return b; }
  return select(a, b, tw_dlt(a, b));
}

fn tw_dcopysign(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> { return vec2<u32>(a.x, (a.y & 0x7fffffffu) | (b.y & 0x80000000u)); }

fn tw_dfloor(a: vec2<u32>) -> vec2<u32> {
  let x = tw_parts(a);
  if (x.kind != 1u || x.e >= 52i) { return a; }
  if (x.e < 0i) { return select(vec2<u32>(0u, 0u), vec2<u32>(0u, 0xbff00000u), x.negative != 0u); }
  let whole = tw_shr(x.m, u32(63i - x.e));
  let part = any(tw_shl(whole, u32(63i - x.e)) != x.m);
  return tw_round(x.negative, 63i, tw_add(whole, vec2<u32>(select(0u, x.negative, part), 0u)));
}

fn tw_dilogb(a: vec2<u32>) -> vec2<u32> {
  let x = tw_parts(a);
  return tw_i2d(select(0i, x.e, x.kind == 1u));
}

fn tw_dscalbn(a: vec2<u32>, n: vec2<u32>) -> vec2<u32> {
  let x = tw_parts(a);
  if (x.kind != 1u) { return a; }
  return tw_round(x.negative, x.e + clamp(tw_d2i(n), -5000i, 5000i), x.m);
}

fn tw_f2d(x: f32) -> vec2<u32> {
  let b = bitcast<u32>(x);
  let e = (b >> 23u) & 255u;
  let m = b & 0x7fffffu;
  if (e == 255u) { return vec2<u32>(0u, (b & 0x80000000u) | 0x7ff00000u | select(0u, 0x80000u, m != 0u)); }
  if (e == 0u) { return tw_round(b >> 31u, -126i, vec2<u32>(0u, m << 8u)); }
  return vec2<u32>(m << 29u, (b & 0x80000000u) | ((e + 896u) << 20u) | (m >> 3u));
}

fn tw_d2f(a: vec2<u32>) -> f32 {
  let x = tw_parts(a);
  let sign = x.negative << 31u;
  if (x.kind == 3u) { return bitcast<f32>(a.x * 0u + 0x7fc00000u); }
  if (x.kind == 2u) { return bitcast<f32>(sign | (a.x * 0u + 0x7f800000u)); }
  if (x.kind == 0u) { return bitcast<f32>(sign); }
  var m = x.m;
  var e = x.e + 127i;
  if (e >= 255i) { return bitcast<f32>(sign | (a.x * 0u + 0x7f800000u)); }
  if (e <= 0i) {
    m = tw_jam(m, u32(1i - e));
    e = 1i;
  }
  let rest = ((m.y & 255u) << 1u) | select(0u, 1u, m.x != 0u);
  var keep = m.y >> 8u;
  if (rest > 256u || (rest == 256u && (keep & 1u) != 0u)) { keep += 1u; }
  return bitcast<f32>(sign | (keep + (u32(e - 1i) << 23u)));
}

fn tw_ul2d(a: vec2<u32>) -> vec2<u32> { return tw_round(0u, 63i, a); }

fn tw_l2d(a: vec2<u32>) -> vec2<u32> { return tw_round(a.y >> 31u, 63i, tw_sabs(a)); }

fn tw_i2d(x: i32) -> vec2<u32> { return tw_l2d(tw_i2l(x)); }

fn tw_d2ul(a: vec2<u32>) -> vec2<u32> {
  let x = tw_parts(a);
  if (x.kind == 0u || x.kind == 3u || x.negative != 0u || (x.kind == 1u && x.e < 0i)) { return vec2<u32>(0u, 0u); }
  if (x.kind == 2u || x.e > 63i) { return vec2<u32>(0xffffffffu, 0xffffffffu); }
  return tw_shr(x.m, u32(63i - x.e));
}

fn tw_d2l(a: vec2<u32>) -> vec2<u32> {
  let m = tw_d2ul(tw_dabs(a));
  let negative = (a.y >> 31u) != 0u;
  if ((m.y >> 31u) != 0u) { return select(vec2<u32>(0xffffffffu, 0x7fffffffu), vec2<u32>(0u, 0x80000000u), negative); }
  return select(m, tw_neg(m), negative);
}

fn tw_d2i(a: vec2<u32>) -> i32 {
  let v = tw_smin(tw_smax(tw_d2l(a), vec2<u32>(0x80000000u, 0xffffffffu)), vec2<u32>(0x7fffffffu, 0u));
  return bitcast<i32>(v.x);
}

fn tw_d2u(a: vec2<u32>) -> u32 { return tw_umin(tw_d2ul(a), vec2<u32>(0xffffffffu, 0u)).x; }

// Functions of doubles are those of floats and of what the float leaves out: what
// uses them rounds to float in the end.
fn tw_dpair(a: vec2<u32>) -> vec2<f32> {
  let high = tw_d2f(a);
  if (tw_isnan(high) || tw_isinf(high)) { return vec2<f32>(high, 0.0f); }
  return vec2<f32>(high, tw_d2f(tw_dsub(a, tw_f2d(high))));
}

fn tw_dexp(a: vec2<u32>) -> vec2<u32> {
  let x = tw_dpair(a);
  if (tw_isnan(x.x) || tw_isinf(x.x)) { return tw_f2d(tw_exp(x.x)); }
  let halves = clamp(x.x * 0.5f, -400.0f, 400.0f);
  let n = floor(halves * 1.44269502f + 0.5f);
  let r = tw_two_sub(halves, n);
  let e = tw_f2d(1.0f + (tw_expm1_near(r.x) + (r.y + 0.5f * x.y)));
  let half = tw_dscalbn(e, tw_i2d(i32(n)));
  return tw_dmul(half, half);
}

fn tw_dlog(a: vec2<u32>) -> vec2<u32> {
  let x = tw_parts(a);
  if (x.kind != 1u || x.negative != 0u) { return tw_f2d(tw_log(tw_d2f(a))); }
  // The significand, from 1 to 2, so that nothing is lost or out of range.
  let m = tw_dpair(tw_dscalbn(a, tw_i2d(-x.e)));
  let low = tw_f2d(m.y / m.x);
  return tw_dadd(tw_dmul(tw_i2d(x.e), vec2<u32>(0xfefa39efu, 0x3fe62e42u)), tw_dadd(tw_f2d(tw_log(m.x)), low));
}

fn tw_dlog1p(a: vec2<u32>) -> vec2<u32> {
  let x = tw_dpair(a);
  return tw_dadd(tw_f2d(tw_log1p(x.x)), tw_f2d(x.y / (1.0f + x.x)));
}

fn tw_dexpm1(a: vec2<u32>) -> vec2<u32> {
  let x = tw_dpair(a);
  let e = tw_expm1(x.x);
  return tw_dadd(tw_f2d(e), tw_f2d(x.y * (1.0f + e)));
}

fn tw_dsin(a: vec2<u32>) -> vec2<u32> {
  let x = tw_dpair(a);
  return tw_dadd(tw_f2d(tw_sin(x.x)), tw_f2d(tw_cos(x.x) * x.y));
}

fn tw_dcos(a: vec2<u32>) -> vec2<u32> {
  let x = tw_dpair(a);
  return tw_dadd(tw_f2d(tw_cos(x.x)), tw_f2d(-tw_sin(x.x) * x.y));
}

fn tw_dtan(a: vec2<u32>) -> vec2<u32> { return tw_ddiv(tw_dsin(a), tw_dcos(a)); }

fn tw_dcosh(a: vec2<u32>) -> vec2<u32> {
  let e = tw_dexp(tw_dabs(a));
  let half = vec2<u32>(0u, 0x3fe00000u);
  return tw_dmul(half, tw_dadd(e, tw_ddiv(vec2<u32>(0u, 0x3ff00000u), e)));
}

fn tw_dsinh(a: vec2<u32>) -> vec2<u32> {
  let x = tw_dabs(a);
  let half = vec2<u32>(0u, 0x3fe00000u);
  let one = vec2<u32>(0u, 0x3ff00000u);
  if (tw_dlt(x, one)) {
    let e = tw_dexpm1(x);
    return tw_dcopysign(tw_dmul(half, tw_dadd(e, tw_ddiv(e, tw_dadd(e, one)))), a);
  }
  let e = tw_dexp(x);
  return tw_dcopysign(tw_dmul(half, tw_dsub(e, tw_ddiv(one, e))), a);
}

fn tw_datan2(y: vec2<u32>, x: vec2<u32>) -> vec2<u32> { return tw_f2d(tw_atan2(tw_d2f(y), tw_d2f(x))); }

// Of numbers that are not below zero.
fn tw_dpow(x: vec2<u32>, y: vec2<u32>) -> vec2<u32> {
  if (!tw_dtruth(y)) { return vec2<u32>(0u, 0x3ff00000u); }
  if (!tw_dtruth(x)) { return select(vec2<u32>(0u, 0u), tw_dinf(0u), (y.y >> 31u) != 0u); }
  return tw_dexp(tw_dmul(y, tw_dlog(x)));
}

// Four words, the lowest first, for a product and a sum that are rounded once.
fn tw_jam4(a: vec4<u32>, by: u32) -> vec4<u32> {
  if (by > 127u) { return vec4<u32>(select(0u, 1u, any(a != vec4<u32>(0u, 0u, 0u, 0u))), 0u, 0u, 0u); }
  var v = a;
  var lost = 0u;
  for (var i = 0u; i < (by >> 5u); i++) {
    lost |= v.x;
    v = vec4<u32>(v.y, v.z, v.w, 0u);
  }
  let n = by & 31u;
  if (n != 0u) {
    lost |= v.x << (32u - n);
    v = vec4<u32>((v.x >> n) | (v.y << (32u - n)), (v.y >> n) | (v.z << (32u - n)), (v.z >> n) | (v.w << (32u - n)), v.w >> n);
  }
  v.x |= select(0u, 1u, lost != 0u);
  return v;
}

fn tw_shl4(a: vec4<u32>, by: u32) -> vec4<u32> {
  var v = a;
  for (var i = 0u; i < (by >> 5u); i++) { v = vec4<u32>(0u, v.x, v.y, v.z); }
  let n = by & 31u;
  if (n != 0u) {
    v = vec4<u32>(v.x << n, (v.y << n) | (v.x >> (32u - n)), (v.z << n) | (v.y >> (32u - n)), (v.w << n) | (v.z >> (32u - n)));
  }
  return v;
}

fn tw_add4(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> {
  let low = tw_add(a.xy, b.xy);
  let high = tw_add(a.zw, b.zw);
  return vec4<u32>(low, tw_add(high, vec2<u32>(select(0u, 1u, tw_ult(low, a.xy)), 0u)));
}

fn tw_sub4(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> {
  let high = tw_sub(a.zw, b.zw);
  return vec4<u32>(tw_sub(a.xy, b.xy), tw_sub(high, vec2<u32>(select(0u, 1u, tw_ult(a.xy, b.xy)), 0u)));
}

fn tw_ult4(a: vec4<u32>, b: vec4<u32>) -> bool {
  return tw_ult(a.zw, b.zw) || (all(a.zw == b.zw) && tw_ult(a.xy, b.xy));
}

fn tw_dfma(a: vec2<u32>, b: vec2<u32>, c: vec2<u32>) -> vec2<u32> {
  let x = tw_parts(a);
  let y = tw_parts(b);
  let z = tw_parts(c);
  if (x.kind != 1u || y.kind != 1u || z.kind != 1u) { return tw_dadd(tw_dmul(a, b), c); }
  var p = vec4<u32>(tw_mul(x.m, y.m), tw_umulhi(x.m, y.m));
  var e = x.e + y.e + 1i;
  if ((p.w >> 31u) == 0u) {
    p = tw_shl4(p, 1u);
    e -= 1i;
  }
  var negative = x.negative ^ y.negative;
  var big = tw_jam4(p, 1u);
  var small = tw_jam4(vec4<u32>(vec2<u32>(0u, 0u), z.m), 1u);
  var less = z.e;
  if (e < z.e || (e == z.e && tw_ult4(big, small))) {
    let other = big;
    big = small;
    small = other;
    less = e;
    e = z.e;
    negative = z.negative;
  }
  small = tw_jam4(small, u32(e - less));
  var sum = vec4<u32>(0u, 0u, 0u, 0u);
  if ((x.negative ^ y.negative) == z.negative) { sum = tw_add4(big, small); } else { sum = tw_sub4(big, small); }
  if (all(sum == vec4<u32>(0u, 0u, 0u, 0u))) { return vec2<u32>(0u, 0u); }
  let zeros = select(tw_clz(sum.zw), 64u + tw_clz(sum.xy), all(sum.zw == vec2<u32>(0u, 0u)));
  sum = tw_shl4(sum, zeros);
  return tw_round(negative, e + 1i - i32(zeros), vec2<u32>(sum.z | select(0u, 1u, any(sum.xy != vec2<u32>(0u, 0u))), sum.w));
}
