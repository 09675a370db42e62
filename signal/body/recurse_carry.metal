// States before blocks: z of the next block is p z + e, where e is what a block gives from rest and p
// takes a state through a block without input. Blocks are handled in groups of PER by 32 threads,
// of which each has one element of the state: zi is the state before each group, zs that before
// each block, and zf that after each group.
int i = thread_position_in_threadgroup.x;
int blocks = e_shape[1];
int groups = zi_shape[1];
int group = threadgroup_position_in_grid.x;
int line = group / groups; //twiddle:ignore TWK01 once for a thread, which goes through PER blocks
int first = (group % groups) * PER;
int last = min(first + PER, blocks);
bool active = i < STATES;
double row[STATES];
double low[STATES];
for (int j = 0; j < STATES; j++) {
    row[j] = active ? p[i * STATES + j] : 0.0;
    low[j] = active ? p[(STATES + i) * STATES + j] : 0.0;
}
double rest = 0; // of z
double z = active ? zi[group * STATES + i] : 0.0;
for (int b = first; b < last; b += 8) {
    // All that is read comes before what waits for it.
    double own[8];
    for (int k = 0; k < 8; k++)
        own[k] = active && b + k < last ? e[(long(line) * blocks + b + k) * STATES + i] : 0.0;
    for (int k = 0; k < 8; k++) {
        if (b + k < last) {
            if (active)
                zs[(long(line) * blocks + b + k) * STATES + i] = z;
            double sum = own[k];
            double lost = 0; // by rounding, of sums and products
            double less = 0; // products with what is small
            for (int j = 0; j < STATES; j++) {
                double v = simd_shuffle(z, j);
                double product = row[j] * v;
                double next = sum + product;
                double taken = next - sum;
                lost += (sum - (next - taken)) + (product - taken) + fma(row[j], v, -product);
                less = fma(row[j], simd_shuffle(rest, j), fma(low[j], v, less));
                sum = next;
            }
            lost += less;
            z = sum + lost;
            rest = lost - (z - sum);
        }
    }
}
if (active)
    zf[group * STATES + i] = z;
