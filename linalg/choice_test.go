package linalg

import (
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

// On the CPU: reflections for large matrices; for a column or two they are not worth it. The number of cores
// has no say, since bits depend on the choice: with two, two matrices of 100 columns went the other way.
func TestChoice(t *testing.T) {
	testdevice.NotOnGPU(t, "the figures are of the CPU")
	for _, c := range []struct {
		shape []int
		want  bool
	}{
		{[]int{1, 2, 2}, true}, {[]int{1, 8, 1}, true}, {[]int{1, 256, 64}, false}, {[]int{1, 4096, 512}, false}, {[]int{2, 100, 100}, false},
	} {
		if got := prefersGramSchmidt(nd.Zeros(nd.Float32, c.shape...)); got != c.want {
			t.Errorf("%v: %t", c.shape, got)
		}
	}
}
