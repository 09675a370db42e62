@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
var<workgroup> pairs: array<vec2<f32>, 64>;
var<workgroup> hits: array<atomic<u32>, 1>;
@group(0) @binding(2) var<uniform> tw_grid: vec3<u32>;

@compute @workgroup_size(64, 1, 1)
fn k_shared(@builtin(local_invocation_id) tw_thread: vec3<u32>, @builtin(workgroup_id) tw_group: vec3<u32>) {
  let tw_size = vec3<u32>(64u, 1u, 1u);
  let tw_at = tw_group * tw_size + tw_thread;
  let tw_ext = min(tw_size, tw_grid - tw_group * tw_size);
  let tw_index = tw_thread.x + tw_ext.x * (tw_thread.y + tw_ext.y * tw_thread.z);
  var i: u32;
  var i_2: u32;
  var v: f32;
  var t1: u32;
  var t2: f32;
  var t3: f32;
  var p_x: f32;
  var p_y: f32;
  var t4: u32;
  var t5: f32;
  var t6: f32;
  var k: i32;
  var t7: u32;
  var t8: f32;
  var local: array<f32, 4>;
  i = tw_index;
  if (i == 0u) {
    atomicStore(&hits[0], 0u);
  }
  i_2 = i;
  v = x[tw_at.x];
  {
    t1 = i_2;
    t2 = v;
    t3 = -v;
    pairs[t1].x = t2;
    pairs[t1].y = t3;
  }
  workgroupBarrier();
  storageBarrier();
  t4 = i ^ 1u;
  p_x = pairs[t4].x;
  p_y = pairs[t4].y;
  if (p_x > 0.0f) {
    atomicAdd(&hits[0], 1u);
  }
  t5 = p_x;
  t6 = p_y;
  local = array<f32, 4>();
  local[0i] = t5;
  local[1i] = t6;
  k = 2i;
  loop {
    if (!(k < 4i)) { break; }
    local[k] = local[k - 2i] * 2.0f;
    continuing {
      k = k + 1i;
    }
  }
  workgroupBarrier();
  t8 = local[i & 3u];
  t7 = atomicLoad(&hits[0]);
  y[tw_at.x] = t8 + tw_u2f(t7);
}

fn tw_u2f(a: u32) -> f32 { return f32(a >> 16u) * 65536.0f + f32(a & 0xffffu); }
