enable subgroups;

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<storage, read> x_shape: array<i32>;
var<workgroup> parts: array<f32, 32>;
@group(0) @binding(3) var<uniform> tw_grid: vec3<u32>;

@compute @workgroup_size(256, 1, 1)
fn rowsum(@builtin(local_invocation_id) tw_thread: vec3<u32>, @builtin(workgroup_id) tw_group: vec3<u32>) {
  let tw_size = vec3<u32>(256u, 1u, 1u);
  let tw_at = tw_group * tw_size + tw_thread;
  let tw_ext = min(tw_size, tw_grid - tw_group * tw_size);
  let tw_index = tw_thread.x + tw_ext.x * (tw_thread.y + tw_ext.y * tw_thread.z);
  var row: u32;
  var s: f32;
  var i: u32;
  var t1: f32;
  var t2: f32;
  var t3: f32;
  row = tw_group.x;
  s = 0.0f;
  i = tw_thread.x;
  loop {
    if (!(i < bitcast<u32>(x_shape[1i]))) { break; }
    s = s + x[(row * bitcast<u32>(x_shape[1i])) + i];
    continuing {
      i = i + tw_ext.x;
    }
  }
  t1 = subgroupAdd(s);
  s = t1;
  if ((tw_index % 32u) == 0u) {
    parts[tw_index / 32u] = s;
  }
  workgroupBarrier();
  if ((tw_index / 32u) == 0u) {
    t2 = 0.0f;
    if ((tw_index % 32u) < ((tw_ext.x * tw_ext.y * tw_ext.z + 31u) / 32u)) {
      t2 = parts[tw_index % 32u];
    }
    s = t2;
    t3 = subgroupAdd(s);
    s = t3;
    if ((tw_index % 32u) == 0u) {
      y[row] = s;
    }
  }
}
