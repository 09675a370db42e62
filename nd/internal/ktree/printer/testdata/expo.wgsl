@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> tw_grid: vec3<u32>;

@compute @workgroup_size(256, 1, 1)
fn expo(@builtin(global_invocation_id) tw_at: vec3<u32>, @builtin(local_invocation_id) tw_thread: vec3<u32>,
    @builtin(workgroup_id) tw_group: vec3<u32>) {
  if (any(tw_at >= tw_grid)) { return; }
  let tw_size = vec3<u32>(256u, 1u, 1u);
  let tw_ext = min(tw_size, tw_grid - tw_group * tw_size);
  let tw_index = tw_thread.x + tw_ext.x * (tw_thread.y + tw_ext.y * tw_thread.z);
  var i: u32;
  i = tw_at.x;
  y[i] = exp(x[i]);
}
