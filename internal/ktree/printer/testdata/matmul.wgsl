@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
var<workgroup> at: array<f32, 256>;
var<workgroup> bt: array<f32, 256>;
@group(0) @binding(3) var<uniform> tw_grid: vec3<u32>;

@compute @workgroup_size(16, 16, 1)
fn matmul(@builtin(local_invocation_id) tw_thread: vec3<u32>, @builtin(workgroup_id) tw_group: vec3<u32>) {
  let tw_size = vec3<u32>(16u, 16u, 1u);
  let tw_at = tw_group * tw_size + tw_thread;
  let tw_ext = min(tw_size, tw_grid - tw_group * tw_size);
  let tw_index = tw_thread.x + tw_ext.x * (tw_thread.y + tw_ext.y * tw_thread.z);
  var t_x: u32;
  var t_y: u32;
  var p_x: u32;
  var p_y: u32;
  var acc: f32;
  var k: i32;
  var j: i32;
  t_x = tw_thread.x;
  t_y = tw_thread.y;
  p_x = tw_at.x;
  p_y = tw_at.y;
  acc = 0.0f;
  k = 0i;
  loop {
    if (!(k < 64i)) { break; }
    at[t_y * 16u + t_x] = a[((p_y * 64u) + bitcast<u32>(k)) + t_x];
    bt[t_y * 16u + t_x] = b[((bitcast<u32>(k) + t_y) * tw_grid.x) + p_x];
    workgroupBarrier();
    j = 0i;
    loop {
      if (!(j < 16i)) { break; }
      acc = fma(at[i32(t_y) * 16i + j], bt[j * 16i + i32(t_x)], acc);
      continuing {
        j = j + 1i;
      }
    }
    workgroupBarrier();
    continuing {
      k = k + 16i;
    }
  }
  c[(p_y * tw_grid.x) + p_x] = acc;
}
