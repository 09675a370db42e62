enable f16;

@group(0) @binding(0) var<storage, read> h: array<f16>;
@group(0) @binding(1) var<storage, read_write> g: array<f16>;
@group(0) @binding(2) var<uniform> tw_grid: vec3<u32>;

@compute @workgroup_size(64, 1, 1)
fn halves(@builtin(global_invocation_id) tw_at: vec3<u32>, @builtin(local_invocation_id) tw_thread: vec3<u32>,
    @builtin(workgroup_id) tw_group: vec3<u32>) {
  if (any(tw_at >= tw_grid)) { return; }
  let tw_size = vec3<u32>(64u, 1u, 1u);
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
  g[i] = max(s, 0.0h) + exp(v_y);
}
