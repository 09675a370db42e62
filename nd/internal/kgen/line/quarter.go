package line

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/internal/roots"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// Lines with quarter bins (ir.FFTQuarterForward and -Inverse) are complex ones of as many
// numbers as there are samples. The powers of a root of i that put the bins there are in the
// roots of the passes out, and so cost nothing. Results are turned back by a table, which has
// the scale, too; only their real parts are wanted.

// QuarterBins reports that causal convolutions of so many lines of n samples were measured to be
// faster in quarter bins, in float32 or, where they are fast, in halves. How many there are matters
// for clusters, for halves, and where a warp or less has a line and threads have 32 numbers.
func QuarterBins(n, lines int, fast bool, target kgen.Target) bool {
	gpu := single.recipes(target)
	gpu.Halves = fast && target.Tensor
	if r := gpu.QuarterCluster(n); r != nil {
		return lines*r.Blocks >= clusterBlocks*target.Processors
	}
	if !gpu.FastQuarter(n) {
		return false
	}
	r, err := gpu.Quarter(n)
	return err == nil && (lines >= quarterLines*target.Processors || !fast && (r.Threads > target.Subgroup || r.Held(false) < 32))
}

// QuarterRows is in how many rows lines of n have their bins: as many as groups, if clusters
// make them, or 0.
func QuarterRows(n int, target kgen.Target) int {
	if r := single.recipes(target).QuarterCluster(n); r != nil {
		return r.Blocks
	}
	return 0
}

// quarterLines is how many lines a multiprocessor must have that have few threads with 32 numbers
// each, which by themselves are slow: 512 lines of 1024 and of 512 samples on an H200 take 6.2 and
// 4.4 us instead of 5.0 and 3.1. With 768 lines both ways take as long.
const quarterLines = 5

// clusterBlocks is how many blocks of clusters a multiprocessor must have, so that few idle at
// the end.
const clusterBlocks = 20

// filterFirst is a program in which a filter that lines share is transformed before them: the
// transform that is made last is multiplied by the other, and bits depend on which.
func filterFirst(p *ir.Line) *ir.Line {
	quarter := func(s ir.Stage) bool {
		f, ok := s.Program.(*ir.FFT)
		return ok && f.Kind == ir.FFTQuarterForward && p.Segments == 1
	}
	line := slices.IndexFunc(p.Stages, quarter)
	filter := line + 1 + slices.IndexFunc(p.Stages[line+1:], func(s ir.Stage) bool { return quarter(s) && isShared(p, s.Reads[0]) })
	if line < 0 || filter == line {
		return p
	}
	q := *p
	q.Stages = slices.Insert(slices.Delete(slices.Clone(p.Stages), filter, filter+1), line, p.Stages[filter])
	return &q
}

// isShared reports a slot in memory whose lines are those of several lines of the program.
func isShared(p *ir.Line, slot ir.SlotID) bool {
	s := p.Slots[slot]
	for d, stride := range s.Strides {
		if s.Kind == ir.InSlot && stride == 0 && p.Outer[d] > 1 {
			return true
		}
	}
	return false
}

// quarterTurns turns the results of a transform back as far as the number of their butterfly in
// the last pass says: a factor of all it reads. What is left is the same for all butterflies, so
// that threads look up one number for each instead of one for each result.
func (c *core) quarterTurns(x *transform) {
	n, r := x.f.N, c.radices[len(c.radices)-1]
	if n == r {
		return
	}
	c.turns = c.k.lanedPairs(x.precision, max(x.lanes, 1), fmt.Sprintf("quarter turns %d of %d", n/r, n), func() []complex128 {
		all := roots.Of(4 * n)
		return lists.Make(n/r, func(i int) complex128 { re, im := all.At(i); return complex(re, im) })
	})
}

// turnedBack gives the results of a transform back, as reals, with its scale.
func (k *kernel) turnedBack(x *transform, out sink) deliver {
	a := k.arith(x.precision)
	return func(at []place, v []number) {
		turns := roots.Of(4 * len(at))
		for j, p := range at {
			re, im := turns.At(j)
			w := a.Real(a.Const(re * x.f.Scale))
			if j > 0 {
				w.Im = a.Const(im * x.f.Scale)
			}
			k.realPart(x, p, v[j], w, out)
		}
	}
}

// realPart gives the real part of z times w as the result at p.
func (k *kernel) realPart(x *transform, p place, z, w number, out sink) {
	a := k.arith(x.precision)
	v := a.Fused(z.Re, w.Re, a.Product(z.Im, w.Im).Neg())
	if r, ok := v.E.(*ktree.Ref); ok && k.products != nil {
		k.products[r.Var] = [][2]build.Val{{z.Re, w.Re}}
		if !w.Im.IsZero() {
			k.products[r.Var] = append(k.products[r.Var], [2]build.Val{z.Im.Neg(), w.Im})
		}
	}
	out(one(x.wanted(p)), []number{x.only(v)})
}

// weightsOf is what the transform of stage i is multiplied by before it goes back: all that
// is done to its bins. It gives false where there is more, or nothing.
func (k *kernel) weightsOf(i int) (weight func(at place) number, ok bool) {
	x, c := k.ffts[i], k.chains[i]
	spectrum := k.p.Stages[i].Writes[0]
	if len(c.stages) != 1 || c.stages[0].shift != 0 || !k.passesBy(spectrum) || !k.passesBy(c.gives) {
		return nil, false
	}
	s := k.p.Stages[c.stages[0].stage]
	m := s.Program.(*ir.Map)
	operand, conjugate := factorOf(m, slices.Index(s.Reads, spectrum))
	if operand < 0 || m.Dims[0] != x.f.N {
		return nil, false
	}
	return func(at place) number {
		v, met := k.met[s.Reads[operand]]
		if !met {
			v = k.read(s.Reads[operand], m.In[operand], one(at))
		}
		w := x.numberOf(v[0])
		if conjugate {
			w = w.Conjugate()
		}
		return w
	}, true
}

// passesBy reports a slot that one stage reads where it is written, in registers.
func (k *kernel) passesBy(slot ir.SlotID) bool {
	_, stored := k.homes[slot]
	return k.p.Slots[slot].Kind == ir.LocalSlot && !stored && len(k.slots[slot].Readers) == 1
}

// quarterTrip makes transform x, the product with a filter's bins, and the transform back.
// Products are parts of the sums that begin the way back. The filter may be transformed beside
// the line.
func (k *kernel) quarterTrip(x *transform, first, second *core, read fetch, beside []*going, bins *besideBins, weight func(at place) number, write deliver) {
	between := [][]number{}
	together(append(beside, first.going(read, func(at []place, v []number) {
		between = append(between, lists.Map(v, func(z number) number { return k.times(x, z) }))
		bins.next()
		weights := make([]number, len(at))
		for j, p := range at {
			bins.meet(k, j, 0, func() { weights[j] = weight(p) })
		}
		second.weights = append(second.weights, weights)
	}))...)
	k.products = map[*ktree.Var][][2]build.Val{}
	second.run(taken(&between), write)
}
