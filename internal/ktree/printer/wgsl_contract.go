package printer

import (
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/flat"
)

// Vulkan lets a driver round a product and a sum once, as NVIDIA's does, unless SPIR-V says
// NoContraction, which WGSL has no word for; Metal's compiler does so too. A product that
// passed an operation on integers is no longer seen as one.

// fixed is a product that a compiler cannot join with a sum any more.
func (w *wgsl) fixed(k ktree.Kind, s string) string {
	if w.zero == "" || k != ktree.Float {
		return s
	}
	return fmt.Sprintf("bitcast<f32>(bitcast<u32>(%s) ^ %s)", bare(s), w.zero)
}

// isPower reports a constant that products with are exact: a power of two.
func isPower(x flat.Expr) bool {
	c, ok := x.(*flat.Const)
	if !ok {
		return false
	}
	m, _ := math.Frexp(c.Val.F)
	return math.Abs(m) == 0.5
}

// ContractionProbe is a shader, main, that writes a word: 0 if a product and a sum are
// rounded twice. A compiler cannot know the factors. The product is used once: NVIDIA's
// driver does not join one that is used twice.
const ContractionProbe = `@group(0) @binding(0) var<storage, read_write> y: array<u32>;
@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) group: vec3<u32>) {
  let x = bitcast<f32>(0x3f800800u + group.x);
  y[0] = bitcast<u32>(x * x + bitcast<f32>(0xbf801000u + group.x));
}
`
