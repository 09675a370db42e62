package cost

import (
	"math"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Traffic is the bytes a program reads and writes if every element it needs
// crosses memory once.
func Traffic(p ir.Program) int {
	return lists.Sum(p.Accesses(), func(a ir.Access) int { return a.Elements() * a.Type.Size() })
}

// Ns predicts how long a program runs: its launch, and then the slower of
// moving its bytes and doing its operations, by as many workers as have a piece of
// it, or by one if the others would come too late.
func Ns(p ir.Program, f device.Figures) float64 { return ns(p, f, true) }

// Rank is Ns without what is finer than decisions between plans need: types, copies
// from stage to stage and the cost of waking workers. Plans are compared by it.
func Rank(p ir.Program, f device.Figures) float64 {
	f.SortsPerNs, f.LineSortsPerNs, f.CoreBytesPerNs, f.SpreadNs = 0, 0, 0, 0
	if f.Grain > 0 { // a GPU's stays: its speed of simple operations goes with it
		f.FunctionOps = 0
	}
	if f.Workers < 2 {
		f.ShortLineGain = 0
	}
	return ns(p, f, false)
}

func ns(p ir.Program, f device.Figures, fine bool) float64 {
	if fine && f.Grain > 0 {
		return onCores(p, f)
	}
	bytes, ops := float64(Traffic(p)), compute(p, f, fine)
	if f.Workers < 2 {
		return f.LaunchNs + max(per(bytes, f.CopyBytesPerNs), ops) + onGPU(p, f, fine)
	}
	n := min(float64(max(p.Pieces(f.Grain), 1)), float64(f.Workers))
	return f.LaunchNs + max(per(bytes, f.CopyBytesPerNs*n/float64(f.Workers)), ops*float64(f.Workers)/n)
}

// exactOps is how many operations of a map take as long as one of a product
// that is added up exactly, or with compensation: 4 to 8 ns for a term on one
// core that does 4 operations of a map in 1 ns (twiddle bench exact).
const exactOps = 12

// wideOps is the same for an operation of a transform in many digits: about 60
// ns on such a core.
const wideOps = 240

// sortOps is the same for a comparison of a sort, with the move that follows it: 1.5
// to 2.5 ns on two cores that do 20 operations of a map in 1 ns (twiddle bench choose).
const sortOps = 40

// shortSums is how many products of a sum take as long as beginning and storing it, on a
// GPU.
const shortSums = 32

// compute is the time that a program's operations take.
func compute(p ir.Program, f device.Figures, fine bool) float64 {
	switch p := p.(type) {
	case *ir.Gemm:
		if !p.Plain() {
			return per(exactOps*p.Ops(), f.OpsPerNs)
		}
		ops := p.Ops()
		switch {
		case fine && f.Grain > 0:
			ops = coreProducts(p)
		case fine:
			ops *= 1 + shortSums/float64(max(p.K, 1))
			if t := p.Out.Type; t == elem.Float64 || t == elem.Complex128 {
				ops *= 2
			}
		}
		return per(ops, f.GemmOpsPerNs) + packing(p, f, fine)
	case *ir.FFT:
		if !p.Plain() {
			return per(wideOps*p.Ops(), f.OpsPerNs)
		}
		return per(p.Ops(), fftRate(p.N, f, fine))
	case *ir.Sort:
		return sorting(p, f.SortsPerNs, f)
	case *ir.Butterfly:
		return per(p.Ops(), f.FFTOpsPerNs)
	case *ir.Map:
		return per(work(p.Code, f, fine)*float64(ir.Count(p.Dims)), f.OpsPerNs)
	case *ir.Reduce:
		ops := (work(p.Code, f, fine)+1)*float64(ir.Count(p.Dims)) + work(p.Post, f, fine)*float64(ir.Count(p.Outer()))
		return per(ops, f.OpsPerNs)
	case *ir.Custom:
		ns := per(p.Ops(), f.OpsPerNs)
		if fine && oneGroup(p) {
			ns += throughItems(p, f)
		}
		return ns
	case *ir.Batch:
		return lists.Sum(p.Programs, func(q ir.Program) float64 { return compute(q, f, fine) })
	case *ir.Line:
		ns, short := 0.0, areShort(p)
		for _, s := range p.Stages {
			each := compute(s.Program, f, fine)
			if fine && short && f.Grain > 0 && f.ShortLineGain > 0 && !isFFT(s.Program) {
				each *= f.ShortLineGain // lanes spare shuffles, and no quotient or root
			}
			if sort, ok := s.Program.(*ir.Sort); ok {
				each = sorting(sort, f.LineSortsPerNs, f)
			}
			if fine && !short && !isFFT(s.Program) {
				each += throughCaches(s.Program, f)
			}
			if s.Each {
				each *= float64(p.Segments)
			}
			ns += each
		}
		if f.ShortLineGain > 0 && short {
			ns /= f.ShortLineGain
		}
		if fine && short {
			ns *= idle(p, f)
		}
		return ns * float64(p.Lines())
	}
	return per(p.Ops(), f.OpsPerNs)
}

// fftRate is the speed of transforms of n samples: that of lines in a first-level cache,
// that of long ones, and between them by the passes that lines take.
func fftRate(n int, f device.Figures, fine bool) float64 {
	const near, far = 12, 16 // powers of two
	if !fine || f.LongFFTOpsPerNs == 0 {
		return f.FFTOpsPerNs
	}
	share := min(max((math.Log2(float64(max(n, 1)))-near)/(far-near), 0), 1)
	return f.FFTOpsPerNs + share*(f.LongFFTOpsPerNs-f.FFTOpsPerNs)
}

// sorting is the time of a sort's comparisons, at a rate or, if the device does not
// know it, by the operations that they are.
func sorting(s *ir.Sort, rate float64, f device.Figures) float64 {
	kept := min(s.Keep, s.Dims[len(s.Dims)-1])
	n := float64(ir.Count(s.Dims)) * math.Log2(float64(kept+1))
	if s.Places == nil && f.BareSortGain > 0 {
		n /= f.BareSortGain
	}
	if rate > 0 {
		return n / rate
	}
	return per(sortOps*n, f.OpsPerNs)
}

func isFFT(p ir.Program) bool {
	_, ok := p.(*ir.FFT)
	return ok
}

// areShort reports lines that are transformed as real ones of at most 64 samples.
func areShort(p *ir.Line) bool {
	const short = 64
	found := false
	for _, s := range p.Stages {
		if f, ok := s.Program.(*ir.FFT); ok {
			if !f.Halved() || f.N > short {
				return false
			}
			found = true
		}
	}
	return found
}

// work is what code does for one point, in simple operations.
func work(c ir.Code, f device.Figures, fine bool) float64 {
	n := 0.0
	for _, in := range c.Instrs {
		if fine && f.Grain > 0 {
			if ns := oneByOne(c, in); ns > 0 {
				n += ns * f.OpsPerNs / float64(max(f.Workers, 1))
				continue
			}
		}
		if in.Kind != ir.Apply || in.Op == scalar.Copy {
			continue
		}
		if !fine {
			n += weight(in.Op, f.FunctionOps)
			continue
		}
		n += typed(in.Op, in.Type, c.Instrs[in.A].Type, f)
	}
	return n
}

// oneByOne is how long a core takes for a value whose time is a matter of its clock; 0 for
// others. Random numbers take 2 ns in vectors of AVX-512 and normal ones 8 (at AVX2 twice and
// one and a half times as long), integers, which are computed without vectors, half of one.
func oneByOne(c ir.Code, in ir.Instr) float64 {
	if in.Kind == ir.Index {
		return 0.4
	}
	if in.Kind != ir.Apply {
		return 0
	}
	from := c.Instrs[in.A].Type
	switch {
	case in.Op == scalar.RandNormal:
		return 8
	case in.Op.IsRandom():
		return 2
	case in.Op == scalar.Cast && from == elem.Bool:
		return 1.2
	case in.Op != scalar.Copy && in.Op != scalar.Where && from.IsInteger() && !in.Type.IsFloat():
		return 0.5
	}
	return 0
}

// size is how many times as long an operation takes because of its type: float64 has
// half as many lanes, and complex numbers two parts, whose products are four.
func size(op scalar.Op, t elem.Type) float64 {
	w := 1.0
	if t.IsComplex() {
		w = 2
		if op == scalar.Mul || op == scalar.Div {
			w = 4
		}
	}
	if t == elem.Float64 || t == elem.Complex128 {
		w *= 2
	}
	return w
}

// per divides by a figure; a device that does not know one predicts nothing
// from it.
func per(amount, rate float64) float64 {
	if rate <= 0 {
		return 0
	}
	return amount / rate
}
