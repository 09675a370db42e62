@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> count: array<atomic<i32>>;
@group(0) @binding(2) var<storage, read_write> total: array<atomic<u32>>;
@group(0) @binding(3) var<uniform> tw_grid: vec3<u32>;

@compute @workgroup_size(64, 1, 1)
fn histogram(@builtin(local_invocation_id) tw_thread: vec3<u32>, @builtin(workgroup_id) tw_group: vec3<u32>) {
  let tw_size = vec3<u32>(64u, 1u, 1u);
  let tw_at = tw_group * tw_size + tw_thread;
  if (any(tw_at >= tw_grid)) { return; }
  let tw_ext = min(tw_size, tw_grid - tw_group * tw_size);
  let tw_index = tw_thread.x + tw_ext.x * (tw_thread.y + tw_ext.y * tw_thread.z);
  var i: u32;
  var t1: u32;
  i = tw_at.x;
  t1 = x[i] & 7u;
  atomicAdd(&count[t1], 1i);
  loop {
    let tw_old = atomicLoad(&total[0i]);
    let tw_new = bitcast<u32>(bitcast<f32>(tw_old) + tw_u2f(x[i]));
    if (atomicCompareExchangeWeak(&total[0i], tw_old, tw_new).exchanged) {
      break;
    }
  }
}

fn tw_u2f(a: u32) -> f32 { return f32(a >> 16u) * 65536.0f + f32(a & 0xffffu); }
