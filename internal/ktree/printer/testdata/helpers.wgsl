@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> z: array<vec2<f32>>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;
@group(0) @binding(3) var<storage, read_write> w: array<vec2<f32>>;
const taps = array<f32, 3>(0.25f, 0.5f, 0.25f);
const phase = array<vec2<f32>, 1>(vec2<f32>(0.5f, (-1.0f)));
@group(0) @binding(4) var<uniform> tw_grid: vec3<u32>;

@compute @workgroup_size(64, 1, 1)
fn helpers(@builtin(local_invocation_id) tw_thread: vec3<u32>, @builtin(workgroup_id) tw_group: vec3<u32>) {
  let tw_size = vec3<u32>(64u, 1u, 1u);
  let tw_at = tw_group * tw_size + tw_thread;
  if (any(tw_at >= tw_grid)) { return; }
  let tw_ext = min(tw_size, tw_grid - tw_group * tw_size);
  let tw_index = tw_thread.x + tw_ext.x * (tw_thread.y + tw_ext.y * tw_thread.z);
  var i: u32;
  var n: i32;
  var s: f32;
  var k: i32;
  var i_2: i32;
  var n_2: i32;
  var t1: f32;
  var t2: f32;
  var t3: f32;
  var v_x: f32;
  var v_y: f32;
  var t4: u32;
  var a_x: f32;
  var a_y: f32;
  var b_x: f32;
  var b_y: f32;
  var k_x: f32;
  var k_y: f32;
  var t5: f32;
  var t6: f32;
  var t: f32;
  var q_x: f32;
  var q_y: f32;
  var q_z: f32;
  var q_w: f32;
  var t7: f32;
  var t8: f32;
  var t9: f32;
  var t10: f32;
  var p: i32;
  var big: bool;
  var k_2: i32;
  var n_3: i32;
  var v: f32;
  var t11: i32;
  var i_3: i32;
  var t12: i32;
  var t13: f32;
  var t14: f32;
  var t15: f32;
  var t16: u32;
  var t17: f32;
  var t18: f32;
  var t19: f32;
  i = tw_at.x;
  n = bitcast<i32>(tw_grid.x);
  s = 0.0f;
  k = 0i;
  loop {
    if (!(k < 3i)) { break; }
    t3 = s;
    t2 = taps[k];
    i_2 = (bitcast<i32>(i) + k) - 1i;
    n_2 = n;
    loop {
      if (i_2 < 0i) {
        t1 = x[0i];
        break;
      }
      if (i_2 >= n_2) {
        t1 = x[n_2 - 1i];
        break;
      }
      t1 = x[i_2];
      break;
    }
    s = t3 + (t2 * t1);
    continuing {
      k = k + 1i;
    }
  }
  t4 = i;
  a_x = z[t4].x;
  a_y = z[t4].y;
  b_x = phase[0].x;
  b_y = phase[0].y;
  {
    t5 = (a_x * b_x) - (a_y * b_y);
    t6 = (a_x * b_y) + (a_y * b_x);
    k_x = t5;
    k_y = t6;
  }
  v_x = k_x;
  v_y = k_y;
  {
    t = v_x;
    v_x = -v_y;
    v_y = t;
  }
  q_x = v_x;
  q_y = v_y;
  q_z = s;
  q_w = 1.0f;
  t7 = q_y;
  t8 = q_x;
  q_x = t7;
  q_y = t8;
  t9 = q_z * 2.0f;
  t10 = q_w * 2.0f;
  q_z = t9;
  q_w = t10;
  p = 0i;
  p = p + i32(i);
  big = (x[p + 0i] > 1.0f) & (i > 3u);
  q_x = select((-q_x), q_x, big);
  n_3 = n;
  v = s;
  var returned = false;
  loop {
    i_3 = 0i;
    loop {
      if (!(i_3 < n_3)) { break; }
      if (x[i_3] > v) {
        t11 = i_3;
        returned = true;
        break;
      }
      continuing {
        i_3 = i_3 + 1i;
      }
    }
    if (returned) { break; }
    t11 = n_3;
    break;
  }
  k_2 = t11;
  t14 = q_x + select(0.0f, q_y, (q_x > 0.0f));
  t15 = q_z + select(0.0f, q_w, (q_y > 0.0f));
  t12 = k_2;
  k_2 = k_2 + 1i;
  t13 = f32(t12);
  t16 = i;
  t17 = t14 + t13;
  t18 = t15 + t13;
  w[t16].x = t17;
  w[t16].y = t18;
  t19 = s;
  y[i] = ((((((((q_x * q_x) + (q_y * q_y)) + (q_z * q_z)) + (q_w * q_w)) + (t19 + ((1.0f - t19) * 0.5f))) + bitcast<f32>(bitcast<u32>(s) & 4294967040u)) + f32(k_2)) + tw_u2f(min(max(select(i / bitcast<u32>(n - 3i), 0u, bitcast<u32>(n - 3i) == 0u), 0u), 5u))) + f32(k_2 << 2u);
}

fn tw_u2f(a: u32) -> f32 { return f32(a >> 16u) * 65536.0f + f32(a & 0xffffu); }
