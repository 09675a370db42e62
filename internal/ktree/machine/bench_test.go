package machine_test

import (
	"testing"

	"github.com/twiddle-go/twiddle/internal/ktree/flat"
	"github.com/twiddle-go/twiddle/internal/ktree/machine"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
)

const gemmBody = `threadgroup float p[16][16];
threadgroup float r[16][16];
uint2 t = thread_position_in_threadgroup.xy;
uint2 at = thread_position_in_grid.xy;
float s = 0;
for (uint k = 0; k < 128; k += 16) {
    p[t.y][t.x] = a[at.y * 128 + k + t.x];
    r[t.y][t.x] = a[(k + t.y) * 128 + at.x];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint j = 0; j < 16; j++)
        s += p[t.y][j] * r[j][t.x];
    threadgroup_barrier(mem_flags::mem_threadgroup);
}
y[at.y * 128 + at.x] = s;
`

// A tiled product of 128x128 matrices on one core, in lockstep and one thread
// at a time.
func BenchmarkGemm(b *testing.B) {
	j := job{body: gemmBody, grid: [3]int{128, 128}, group: [3]int{16, 16}, n: 128 * 128}
	p := j.compile(b)
	fp, err := flat.Flatten(p)
	if err != nil {
		b.Fatal(err)
	}
	code := machine.Compile(fp, vec.For(simd.Active()))
	l := j.launch(p, 1)
	b.Run("lockstep", func(b *testing.B) {
		for b.Loop() {
			if err := code.Run(l); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("naive", func(b *testing.B) {
		for b.Loop() {
			if err := runNaive(j.compile(b), l); err != nil {
				b.Fatal(err)
			}
		}
	})
}
