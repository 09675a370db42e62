enable f16;

@group(0) @binding(0) var<storage, read> h: array<f16>;
@group(0) @binding(1) var<storage, read_write> g: array<f16>;
@group(0) @binding(2) var<uniform> tw_grid: vec3<u32>;

@compute @workgroup_size(64, 1, 1)
fn halves(@builtin(local_invocation_id) tw_thread: vec3<u32>, @builtin(workgroup_id) tw_group: vec3<u32>) {
  let tw_size = vec3<u32>(64u, 1u, 1u);
  let tw_at = tw_group * tw_size + tw_thread;
  if (any(tw_at >= tw_grid)) { return; }
  let tw_ext = min(tw_size, tw_grid - tw_group * tw_size);
  let tw_index = tw_thread.x + tw_ext.x * (tw_thread.y + tw_ext.y * tw_thread.z);
  var i: u32;
  var v_x: f16;
  var v_y: f16;
  var v_z: f16;
  var v_w: f16;
  var t1: f16;
  var s: f16;
  i = tw_at.x;
  t1 = h[i];
  v_x = t1;
  v_y = t1;
  v_z = t1;
  v_w = t1;
  s = (v_x * 2.0h) + 0.5h;
  g[i] = f16(tw_fmax(f32(s), f32(0.0h))) + f16(tw_exp(f32(v_y)));
}

fn tw_exp(x: f32) -> f32 {
  if (tw_isnan(x)) { return x; }
  let c = clamp(x, -110.0f, 90.0f);
  let n = floor(c * 1.44269502f + 0.5f);
  let r = tw_two_sub(c, n);
  return tw_scale(1.0f + (tw_expm1_near(r.x) + r.y), i32(n));
}

fn tw_expm1_near(r: f32) -> f32 {
  let p = 0.5f + r * (0.166666672f + r * (0.0416664667f + r * (0.00833331048f + r * (0.00139336416f + r * 0.000198909809f))));
  return r + r * r * p;
}

fn tw_fmax(a: f32, b: f32) -> f32 {
  if (tw_isnan(a)) { return b; }
  return select(a, b, a < b);
}

fn tw_isnan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }

fn tw_scale(x: f32, n: i32) -> f32 {
  let m = clamp(n, -300i, 300i);
  let first = clamp(m, -126i, 127i);
  let second = clamp(m - first, -126i, 127i);
  let third = clamp(m - first - second, -126i, 127i);
  return x * bitcast<f32>(u32(first + 127i) << 23u) * bitcast<f32>(u32(second + 127i) << 23u) * bitcast<f32>(u32(third + 127i) << 23u);
}

fn tw_two_sub(x: f32, n: f32) -> vec2<f32> {
  let first = x - n * 0.693145751953125f;
  let low = n * 1.42860677e-6f;
  let r = first - low;
  return vec2<f32>(r, (first - r) - low);
}
