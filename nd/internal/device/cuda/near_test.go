package cuda

import (
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/kernc"
)

// The short ways to roots and quotients (see emit.Spelling.Near) give the nearest
// number wherever they claim to: of all float32, and of as many pairs, half of
// them from [1, 2) with any sign, and some with zeros.
func TestShortWaysAreExact(t *testing.T) {
	const threads, each = 1 << 18, 1 << 14
	var u emit.Uses
	u.Part("root_near")
	u.Part("quotient_near")
	text := u.Unit(`extern "C" __global__ void tried(const float*, float* y, unsigned n) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x, wrong = 0, tries = 0;
  if (i >= n) return;
  for (u32 j = 0; j < 16384; j++) {
    u32 b = i * 16384u + j;
    bool root = true, quotient = true;
    float x = __uint_as_float(b), r = root_near(x, root);
    u64 h = (b + 1ull) * 0x9e3779b97f4a7c15ull;
    h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9ull;
    h = (h ^ h >> 27) * 0x94d049bb133111ebull;
    u32 p = (u32)h, q = (u32)(h >> 32);
    if (j & 1) { p = (p & 0x807fffffu) | 0x3f800000u; q = (q & 0x807fffffu) | 0x3f800000u; }
    if ((j & 7) == 2) p &= 0x80000000u;
    if ((j & 15) == 4) q &= 0x80000000u;
    float v = __uint_as_float(p), w = __uint_as_float(q), d = quotient_near(v, w, quotient);
    tries += root + quotient;
    wrong += (root && __float_as_uint(r) != __float_as_uint(sqrtf(x))) + (quotient && __float_as_uint(d) != __float_as_uint(v / w));
  }
  y[i] = wrong > 0 ? -(float)wrong : (float)tries;
}
`)
	raw, err := kernc.Compile(kernc.Spec{Name: "tried", Inputs: []kernc.Operand{{Name: "x", Type: elem.Float32}}, Outputs: []kernc.Operand{{Name: "y", Type: elem.Float32}}, CUDA: text})
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t, openGPU(t))
	y := b.floats(make([]float32, threads)...)
	b.run(b.kernel(customOf(raw, threads, false)), "tried", b.floats(make([]float32, threads)...), y)
	got, err := b.read(y)
	if err != nil {
		t.Fatal(err)
	}
	tries := 0.0
	for i, n := range got {
		if n < 0 {
			t.Fatalf("%g wrong of those of thread %d", -n, i)
		}
		tries += float64(n)
	}
	// Half of all numbers have no sign, and a tenth of those are too small; half of
	// the pairs and a quarter of the others are in range.
	if all := float64(threads * each); tries < 0.9*all {
		t.Errorf("%g roots and quotients of %g numbers", tries, all)
	}
}
