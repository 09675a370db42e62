// c = Q^T v: the 32 lanes of a simdgroup share a column, for tall matrices.
uint j = threadgroup_position_in_grid.x;
uint rows = q_shape[0];
uint columns = q_shape[1];
float s = 0;
for (uint i = thread_index_in_simdgroup; i < rows; i += threads_per_simdgroup)
    s = fma(q[i * columns + j], v[i], s);
s = simd_sum(s);
if (thread_index_in_simdgroup == 0)
    c[j] = s;
