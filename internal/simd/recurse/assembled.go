//go:build amd64 || arm64

package recurse

// kernel is a kernel in assembly.
type kernel func(block *float64, n int, c *float64, taps int, state *float64)

// orders is kernels by the order of the filter, from 1 on; the last is for all
// that are higher.
type orders [5]kernel

func (o orders) section(block []Row, c []float64, state []Row) {
	if len(block) == 0 {
		return
	}
	k := o[min(len(state), len(o))-1]
	k(&block[0][0], len(block), &c[0], len(c)/2, &state[0][0])
}
