// Floats of 16 bits, from and to words, rounded to even. WGSL's own conversions may
// round either way.

fn tw_isnan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }

fn tw_isinf(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) == 0x7f800000u; }

fn tw_half_of(bits: u32) -> f32 {
  let sign = (bits & 0x8000u) << 16u;
  let e = (bits >> 10u) & 31u;
  let m = bits & 0x3ffu;
  if (e == 31u) { return bitcast<f32>(sign | 0x7f800000u | (m << 13u)); }
  if (e == 0u) {
    let small = f32(m) * 5.9604644775390625e-8f;
    return bitcast<f32>(sign | bitcast<u32>(small));
  }
  return bitcast<f32>(sign | ((e + 112u) << 23u) | (m << 13u));
}

fn tw_half_bits(x: f32) -> u32 {
  let b = bitcast<u32>(x);
  let sign = (b >> 16u) & 0x8000u;
  let a = b & 0x7fffffffu;
  if (a > 0x7f800000u) { return sign | 0x7e00u; }
  if (a >= 0x477ff000u) { return sign | 0x7c00u; }
  if (a < 0x33000000u) { return sign; }
  if (a >= 0x38800000u) {
    let r = a + 0xfffu + ((a >> 13u) & 1u);
    return sign | ((r >> 13u) - 0x1c000u);
  }
  let shift = 126u - (a >> 23u);
  let m = (a & 0x7fffffu) | 0x800000u;
  let keep = m >> shift;
  let rest = m & ((1u << shift) - 1u);
  let middle = 1u << (shift - 1u);
  return sign | (keep + select(0u, 1u, rest > middle || (rest == middle && (keep & 1u) != 0u)));
}

fn tw_half(x: f32) -> f32 { return tw_half_of(tw_half_bits(x)); }

fn tw_bfloat_of(bits: u32) -> f32 { return bitcast<f32>(bits << 16u); }

fn tw_bfloat_bits(x: f32) -> u32 {
  let b = bitcast<u32>(x);
  if ((b & 0x7fffffffu) > 0x7f800000u) { return (b >> 16u) | 0x40u; }
  return (b + 0x7fffu + ((b >> 16u) & 1u)) >> 16u;
}

fn tw_bfloat(x: f32) -> f32 { return tw_bfloat_of(tw_bfloat_bits(x)); }
