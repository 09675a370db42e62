// One threadgroup per row: lanes add strided parts, simdgroups add lanes, and
// then each adds what all left in threadgroup memory: all threads take part, since
// on some GPUs they have to.
threadgroup float parts[32];
uint row = threadgroup_position_in_grid.x;
uint columns = x_shape[1];
float s = 0;
for (uint i = thread_position_in_threadgroup.x; i < columns; i += threads_per_threadgroup.x)
    s += x[row * columns + i];
s = simd_sum(s);
if (thread_index_in_simdgroup == 0)
    parts[simdgroup_index_in_threadgroup] = s;
threadgroup_barrier(mem_flags::mem_threadgroup);
s = thread_index_in_simdgroup < simdgroups_per_threadgroup ? parts[thread_index_in_simdgroup] : 0.0f;
s = simd_sum(s);
if (thread_position_in_threadgroup.x == 0)
    y[row] = s;
