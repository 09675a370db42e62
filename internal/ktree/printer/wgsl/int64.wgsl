// Integers of 64 bits are pairs of words, the lower first. What is called often has no
// branches: drivers that inline everything take minutes for a few hundred calls that
// have some.

fn tw_mulhi(a: u32, b: u32) -> u32 {
  let low = (a & 0xffffu) * (b & 0xffffu);
  let first = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
  let second = (a & 0xffffu) * (b >> 16u) + (first & 0xffffu);
  return (a >> 16u) * (b >> 16u) + (first >> 16u) + (second >> 16u);
}

fn tw_add(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let low = a.x + b.x;
  return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn tw_sub(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  return vec2<u32>(a.x - b.x, a.y - b.y - select(0u, 1u, a.x < b.x));
}

fn tw_neg(a: vec2<u32>) -> vec2<u32> {
  return tw_sub(vec2<u32>(0u, 0u), a);
}

fn tw_mul(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  return vec2<u32>(a.x * b.x, tw_mulhi(a.x, b.x) + a.x * b.y + a.y * b.x);
}

// The upper half of a product of two.
fn tw_umulhi(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let first = tw_add(vec2<u32>(a.y * b.x, tw_mulhi(a.y, b.x)), vec2<u32>(tw_mulhi(a.x, b.x), 0u));
  let second = tw_add(vec2<u32>(a.x * b.y, tw_mulhi(a.x, b.y)), vec2<u32>(first.x, 0u));
  let top = tw_add(vec2<u32>(a.y * b.y, tw_mulhi(a.y, b.y)), vec2<u32>(first.y, 0u));
  return tw_add(top, vec2<u32>(second.y, 0u));
}

fn tw_smulhi(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  var high = tw_umulhi(a, b);
  high = select(high, tw_sub(high, b), (a.y >> 31u) != 0u);
  high = select(high, tw_sub(high, a), (b.y >> 31u) != 0u);
  return high;
}

fn tw_shl(a: vec2<u32>, by: u32) -> vec2<u32> {
  let n = by & 31u;
  let low = a.x << n;
  let carried = (a.x >> 1u) >> (31u - n);
  return select(vec2<u32>(low, (a.y << n) | carried), vec2<u32>(0u, low), (by & 32u) != 0u);
}

fn tw_shr(a: vec2<u32>, by: u32) -> vec2<u32> {
  let n = by & 31u;
  let high = a.y >> n;
  let carried = (a.y << 1u) << (31u - n);
  return select(vec2<u32>((a.x >> n) | carried, high), vec2<u32>(high, 0u), (by & 32u) != 0u);
}

fn tw_sar(a: vec2<u32>, by: u32) -> vec2<u32> {
  let n = by & 31u;
  let high = bitcast<u32>(bitcast<i32>(a.y) >> n);
  let sign = bitcast<u32>(bitcast<i32>(a.y) >> 31u);
  let carried = (a.y << 1u) << (31u - n);
  return select(vec2<u32>((a.x >> n) | carried, high), vec2<u32>(high, sign), (by & 32u) != 0u);
}

fn tw_ult(a: vec2<u32>, b: vec2<u32>) -> bool {
  return (a.y < b.y) | ((a.y == b.y) & (a.x < b.x));
}

fn tw_slt(a: vec2<u32>, b: vec2<u32>) -> bool {
  return (bitcast<i32>(a.y) < bitcast<i32>(b.y)) | ((a.y == b.y) & (a.x < b.x));
}

fn tw_sabs(a: vec2<u32>) -> vec2<u32> {
  return select(a, tw_neg(a), (a.y >> 31u) != 0u);
}

fn tw_clz(a: vec2<u32>) -> u32 {
  return select(countLeadingZeros(a.y), 32u + countLeadingZeros(a.x), a.y == 0u);
}

fn tw_ctz(a: vec2<u32>) -> u32 {
  return select(countTrailingZeros(a.x), 32u + countTrailingZeros(a.y), a.x == 0u);
}

// Quotient and remainder, bit by bit; a quotient by zero is zero.
fn tw_udivrem(a: vec2<u32>, b: vec2<u32>) -> vec4<u32> {
  if (all(b == vec2<u32>(0u, 0u))) { return vec4<u32>(0u, 0u, 0u, 0u); }
  if (a.y == 0u && b.y == 0u) { return vec4<u32>(a.x / b.x, 0u, a.x % b.x, 0u); }
  var q = vec2<u32>(0u, 0u);
  var r = vec2<u32>(0u, 0u);
  for (var i = 0u; i < 64u; i++) {
    let at = 63u - i;
    let carry = r.y >> 31u;
    r = tw_shl(r, 1u) | vec2<u32>(tw_shr(a, at).x & 1u, 0u);
    q = tw_shl(q, 1u);
    if (carry != 0u || !tw_ult(r, b)) {
      r = tw_sub(r, b);
      q.x |= 1u;
    }
  }
  return vec4<u32>(q, r);
}

fn tw_udiv(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> { return tw_udivrem(a, b).xy; }

fn tw_urem(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> { return tw_udivrem(a, b).zw; }

fn tw_sdiv(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let q = tw_udivrem(tw_sabs(a), tw_sabs(b)).xy;
  return select(q, tw_neg(q), ((a.y ^ b.y) >> 31u) != 0u);
}

fn tw_srem(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let r = tw_udivrem(tw_sabs(a), tw_sabs(b)).zw;
  return select(r, tw_neg(r), (a.y >> 31u) != 0u);
}

fn tw_smin(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> { return select(a, b, tw_slt(b, a)); }

fn tw_smax(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> { return select(a, b, tw_slt(a, b)); }

fn tw_umin(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> { return select(a, b, tw_ult(b, a)); }

fn tw_umax(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> { return select(a, b, tw_ult(a, b)); }

fn tw_i2l(x: i32) -> vec2<u32> { return vec2<u32>(bitcast<u32>(x), bitcast<u32>(x >> 31u)); }

// A number without a sign as a float, rounded to even.
fn tw_ul2f(a: vec2<u32>) -> f32 {
  if (all(a == vec2<u32>(0u, 0u))) { return 0.0f; }
  let zeros = tw_clz(a);
  let m = tw_shl(a, zeros);
  var keep = m.y >> 8u;
  let rest = ((m.y & 255u) << 1u) | select(0u, 1u, m.x != 0u);
  if (rest > 256u || (rest == 256u && (keep & 1u) != 0u)) { keep += 1u; }
  return bitcast<f32>(keep + ((189u - zeros) << 23u));
}

fn tw_l2f(a: vec2<u32>) -> f32 {
  let x = tw_ul2f(tw_sabs(a));
  return select(x, -x, (a.y >> 31u) != 0u);
}

// Halves are exact, and so is their product: one sum rounds.
fn tw_u2f(a: u32) -> f32 { return f32(a >> 16u) * 65536.0f + f32(a & 0xffffu); }

// Floats as integers: towards zero, the nearest there is, and 0 for NaN.
fn tw_f2i(x: f32) -> i32 {
  if (tw_isnan(x)) { return 0i; }
  if (x >= 2147483648.0f) { return 2147483647i; }
  if (x <= -2147483648.0f) { return i32(-2147483648); }
  return i32(x);
}

fn tw_f2u(x: f32) -> u32 {
  if (tw_isnan(x) || x <= 0.0f) { return 0u; }
  if (x >= 4294967296.0f) { return 0xffffffffu; }
  return u32(x);
}

fn tw_f2ul(x: f32) -> vec2<u32> {
  let b = bitcast<u32>(x);
  let e = (b >> 23u) & 255u;
  if (tw_isnan(x) || (b >> 31u) != 0u || e < 127u) { return vec2<u32>(0u, 0u); }
  if (e >= 191u) { return vec2<u32>(0xffffffffu, 0xffffffffu); }
  return tw_shr(vec2<u32>(0u, ((b & 0x7fffffu) | 0x800000u) << 8u), 190u - e);
}

fn tw_f2l(x: f32) -> vec2<u32> {
  let m = tw_f2ul(abs(x));
  let negative = (bitcast<u32>(x) >> 31u) != 0u;
  if ((m.y >> 31u) != 0u) { return select(vec2<u32>(0xffffffffu, 0x7fffffffu), vec2<u32>(0u, 0x80000000u), negative); }
  return select(m, tw_neg(m), negative);
}

// Vulkan leaves the remainder of a number below zero open, not its quotient.
fn tw_rem(a: i32, b: i32) -> i32 { return a - (a / b) * b; }
