package build_test

import (
	"fmt"
	"strings"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/internal/ktree/printer"
)

// A kernel that scales numbers. The product with 1 and the sum with 0 are not in
// the text; the branch is.
func Example() {
	float := ktree.Scalar(ktree.Float)
	k := build.NewKernel("scale", 256)
	in := k.Buffer("in", float, false)
	out := k.Buffer("out", float, true)
	points := k.Number("points", ktree.Scalar(ktree.Uint))
	i := k.Let("i", k.Group().Mul(256).Add(k.Thread()))
	k.If(i.Lt(points), func() {
		at := i.Mul(1).Add(0)
		k.Set(out.At(at), in.At(at).Mul(2.0))
	})
	text := printer.CUDAUnit(k.Program())
	fmt.Print(text[strings.Index(text, "extern"):])
	// Output:
	// extern "C" __global__ void __launch_bounds__(256) scale(const float* __restrict__ in, float* __restrict__ out, const tw::u32 points) {
	//   const tw::u32 i = (blockIdx.x * 256u) + threadIdx.x;
	//   if (i < points) {
	//     out[i] = in[i] * 2.0f;
	//   }
	// }
}
