package signal

import (
	"encoding/binary"
	"math"
	"math/big"
	"slices"

	"github.com/twiddle-go/twiddle/nd"
)

// On a GPU lines are cut into blocks of samples. The state before a block is p z + e of the block
// before it: p is a power of the matrix of one sample, e the state that the block gives from rest.
// All e are found at once, states go from block to block, and all blocks are filtered at once from
// the states before them, by the same steps as a whole line.
//
// That is as exact as sample by sample if p and the states on their way from block to block have more
// digits than float64. Powers lose theirs when poles are near 1 (of two at 1 - 1e-4, those of float64 are
// 2e-4 off at 32768), and have large elements that cancel: with p rounded to float64, errors of
// that filter were a hundred times those of samples one after the other.

const (
	// blockedSamples is how many samples a block has: enough that states are little beside samples,
	// few enough that a single line has thousands of blocks.
	blockedSamples = 256
	// wholeSamples is up to where a line stays one block: the launches that carry states take as long.
	wholeSamples = 1024
	// carryBlocks is how many blocks 32 threads take a state through. Where there are more, groups of
	// them are blocks in their turn.
	carryBlocks = 32
	// mostStates is how many threads carry a state, and what fits in a thread's registers.
	mostStates = 32
	// powerBits is the precision of powers: it leaves 200 bits to what cancels in them.
	powerBits = 320
)

var (
	recurseEnds   = stepKernel("recurse_ends", []string{"x", "c"}, []string{"zf"})
	recurseBlocks = stepKernel("recurse_blocks", []string{"x", "c", "zi"}, []string{"y", "zf"})
	recurseCarry  = kernel("recurse_carry", []string{"e", "p", "zi"}, []string{"zs", "zf"})
)

// stepKernel is kernel with the functions of one sample.
func stepKernel(name string, inputs, outputs []string) *nd.Kernel {
	k := kernel(name, inputs, outputs)
	header, err := bodies.ReadFile("body/recurse_step.header.metal")
	if err != nil {
		panic(err) // embedded when the package was built
	}
	k.Header = string(header)
	return k
}

// onCPU reports whether the CPU computes a. Its name tells: tests put GPUs in the CPU's place.
func onCPU(a *nd.Array) bool {
	d, err := a.Device()
	return err == nil && d.Name() == "cpu"
}

// blockedCascade is a cascade, or its transpose, that goes by blocks.
type blockedCascade struct {
	cascade
	back bool
}

// fits says whether a thread keeps the states of the cascade.
func (c blockedCascade) fits() bool { return c.states() <= mostStates }

// block is how many samples a block of lines of n has: all of them if states are not to be carried, which
// they cannot be in a cascade that grows beyond all numbers, or whose coefficients are beyond them.
func (c blockedCascade) block(n int) int {
	const all = 1 << 30
	if n <= wholeSamples || c.whole || slices.ContainsFunc(c.c, func(v float64) bool { return math.IsInf(v, 0) }) {
		return all
	}
	for samples := blockedSamples; samples < n; samples *= carryBlocks {
		p, _ := cascadePowers.get(c.powerKey(samples))
		for _, v := range p {
			if !(math.Abs(v) < 1e150) {
				return all
			}
		}
	}
	return blockedSamples
}

// lines filters lines (lines, n) from states (lines, states).
func (c blockedCascade) lines(x, zi *nd.Array) []*nd.Array {
	lines, n := x.Dim(0), x.Dim(1)
	samples := c.block(n)
	blocks := (n-1)/samples + 1
	threads := (lines*blocks + 31) / 32 * 32
	l := nd.Launch{
		Inputs: []*nd.Array{x, constant(c.c, zi, c.sections, 2, c.order+1)},
		Grid:   [3]int{threads}, Threadgroup: [3]int{32}, Whole: true, Ops: float64(5 * x.Len() * c.states()),
		Template: map[string]any{"T": x.DType(), "SECTIONS": c.sections, "ORDER": c.order, "BACK": c.back, "SAMPLES": samples},
	}
	starts := zi
	if blocks > 1 {
		l.Shapes, l.DTypes = [][]int{{lines, blocks, c.states()}}, []nd.DType{nd.Float64}
		starts, _ = c.carry(recurseEnds.Call(l)[0], zi, samples)
	}
	l.Inputs = append(l.Inputs[:2:2], starts)
	l.Shapes, l.DTypes = [][]int{{lines, n}, {lines, c.states()}}, []nd.DType{x.DType(), nd.Float64}
	return recurseBlocks.Call(l)
}

// carry takes the states zi (lines, states) through blocks of samples that give the states
// e (lines, blocks, states) from rest: the states before each, and those after the last.
func (c blockedCascade) carry(e, zi *nd.Array, samples int) (before, after *nd.Array) {
	lines, blocks, states := e.Dim(0), e.Dim(1), e.Dim(2)
	groups := (blocks-1)/carryBlocks + 1
	power, _ := cascadePowers.get(c.powerKey(samples))
	p := nd.From(power, 2, states, states).Beside(e)
	call := func(zi *nd.Array) (before, after *nd.Array) {
		out := recurseCarry.Call(nd.Launch{
			Inputs: []*nd.Array{e, p, zi.Reshape(lines, groups, states)},
			Shapes: [][]int{e.Shape(), {lines, groups, states}},
			Grid:   [3]int{32 * lines * groups}, Threadgroup: [3]int{32}, Whole: true, Ops: float64(10 * e.Len() * states),
			Template: map[string]any{"STATES": states, "PER": carryBlocks},
		})
		return out[0], out[1]
	}
	if groups > 1 {
		_, ends := call(nd.Zeros(nd.Float64, lines, groups, states).Beside(e))
		zi, _ = c.carry(ends, zi, samples*carryBlocks)
	}
	return call(zi)
}

// powerKey names the power of a cascade's matrix; coefficients are the bytes of c.
type powerKey struct {
	coefficients    string
	sections, order int
	back            bool
	samples         int
}

func (c blockedCascade) powerKey(samples int) powerKey {
	b := make([]byte, 0, 8*len(c.c))
	for _, v := range c.c {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return powerKey{string(b), c.sections, c.order, c.back, samples}
}

// cascadePowers is the matrices that take a state through samples without input, row by row, and
// behind them what their elements lose by rounding.
var cascadePowers = kept[powerKey, []float64]{make: powerKey.power, samples: func(p []float64) int { return len(p) }}

func (k powerKey) power() ([]float64, error) {
	c := make([]float64, len(k.coefficients)/8)
	for i := range c {
		c[i] = math.Float64frombits(binary.LittleEndian.Uint64([]byte(k.coefficients[8*i:])))
	}
	n := k.sections * k.order
	m := make(bigMatrix, n*n)
	for j := range n {
		z := make([]*big.Float, n)
		for i := range z {
			z[i] = precise(0)
		}
		z[j] = precise(1)
		k.step(c, z, precise(0))
		for i := range z {
			m[i*n+j] = z[i]
		}
	}
	for s := 1; s < k.samples; s *= 2 {
		m = m.squared(n)
	}
	out := make([]float64, 2*n*n)
	for i, v := range m {
		out[i], _ = v.Float64()
		if !math.IsInf(out[i], 0) {
			out[n*n+i], _ = v.Sub(v, precise(out[i])).Float64()
		}
	}
	return out, nil
}

// step is a sample through the cascade: forwards or backwards of the kernels.
func (k powerKey) step(c []float64, z []*big.Float, v *big.Float) *big.Float {
	taps := k.order + 1
	for s := range k.sections {
		if k.back {
			s = k.sections - 1 - s
		}
		b, a, z := c[2*s*taps:], c[(2*s+1)*taps:], z[s*k.order:(s+1)*k.order]
		if !k.back {
			out := plus(z[0], b[0], v)
			for i := range z {
				next := precise(0)
				if i+1 < len(z) {
					next = z[i+1]
				}
				z[i] = plus(plus(next, b[i+1], v), -a[i+1], out)
			}
			v = out
			continue
		}
		in := v
		for i := range z {
			in = plus(in, -a[i+1], z[i])
		}
		v = plus(precise(0), b[0], in)
		for i := range z {
			v = plus(v, b[i+1], z[i])
		}
		copy(z[1:], z)
		z[0] = in
	}
	return v
}

// precise is v with powerBits.
func precise(v float64) *big.Float { return new(big.Float).SetPrec(powerBits).SetFloat64(v) }

// plus is x + c y.
func plus(x *big.Float, c float64, y *big.Float) *big.Float {
	t := precise(c)
	return t.Add(t.Mul(t, y), x)
}

// bigMatrix is a square matrix, row by row.
type bigMatrix []*big.Float

func (m bigMatrix) squared(n int) bigMatrix {
	out, t := make(bigMatrix, n*n), precise(0)
	for i := range n {
		for j := range n {
			sum := precise(0)
			for k := range n {
				// A section knows nothing of those behind it: nearly half of a cascade's matrix is zeros.
				if x, y := m[i*n+k], m[k*n+j]; x.Sign() != 0 && y.Sign() != 0 {
					sum.Add(sum, t.Mul(x, y))
				}
			}
			out[i*n+j] = sum
		}
	}
	return out
}
