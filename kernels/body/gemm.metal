// c = a b by tiles of ROWS x COLUMNS, one thread per element of a tile. Tiles
// of a and b pass through threadgroup memory DEPTH columns at a time; what
// lies outside the matrices counts as zero.
threadgroup float left[ROWS][DEPTH];
threadgroup float right[DEPTH][COLUMNS];
uint m = a_shape[0];
uint depth = a_shape[1];
uint n = b_shape[1];
uint2 t = thread_position_in_threadgroup.xy;
uint2 at = thread_position_in_grid.xy;
uint row = threadgroup_position_in_grid.y * ROWS;
uint column = threadgroup_position_in_grid.x * COLUMNS;
uint index = thread_index_in_threadgroup;
float s = 0;
for (uint k = 0; k < depth; k += DEPTH) {
    for (uint e = index; e < ROWS * DEPTH; e += ROWS * COLUMNS) {
        uint i = row + e / DEPTH;
        uint j = k + e % DEPTH;
        left[e / DEPTH][e % DEPTH] = i < m && j < depth ? a[i * depth + j] : 0.0f;
    }
    for (uint e = index; e < DEPTH * COLUMNS; e += ROWS * COLUMNS) {
        uint i = k + e / COLUMNS;
        uint j = column + e % COLUMNS;
        right[e / COLUMNS][e % COLUMNS] = i < depth && j < n ? b[i * n + j] : 0.0f;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint j = 0; j < DEPTH; j++)
        s = fma(left[t.y][j], right[j][t.x], s);
    threadgroup_barrier(mem_flags::mem_threadgroup);
}
if (at.y < m && at.x < n)
    c[at.y * n + at.x] = s;
