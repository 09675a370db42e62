package cost

import (
	"math"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Traffic is the bytes a program reads and writes if every element it needs
// crosses memory once.
func Traffic(p ir.Program) int {
	n := 0
	for _, a := range p.Accesses() {
		n += a.Elements() * a.Type.Size()
	}
	return n
}

// Ns predicts how long a program runs: its launch, and then the slower of
// moving its bytes and doing its operations, by as many workers as have a piece of
// it, or by one if the others would come too late.
func Ns(p ir.Program, f device.Figures) float64 {
	bytes, ops := float64(Traffic(p)), compute(p, f)
	if f.Workers < 2 {
		return f.LaunchNs + max(per(bytes, f.CopyBytesPerNs), ops)
	}
	workers := float64(f.Workers)
	core := f.CoreBytesPerNs
	if core == 0 {
		core = f.CopyBytesPerNs / workers
	}
	by := func(n float64) float64 {
		return max(per(bytes, f.CopyBytesPerNs), per(bytes, core*n), ops*workers/n)
	}
	pieces := min(float64(max(p.Pieces(f.Grain), 1)), workers)
	if pieces == 1 {
		return f.LaunchNs + by(1)
	}
	return f.LaunchNs + min(by(1), by(pieces)+f.SpreadNs)
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

// compute is the time that a program's operations take.
func compute(p ir.Program, f device.Figures) float64 {
	switch p := p.(type) {
	case *ir.Gemm:
		if !p.Plain() {
			return per(exactOps*p.Ops(), f.OpsPerNs)
		}
		return per(p.Ops(), f.GemmOpsPerNs)
	case *ir.FFT:
		if !p.Plain() {
			return per(wideOps*p.Ops(), f.OpsPerNs)
		}
		return per(p.Ops(), f.FFTOpsPerNs)
	case *ir.Sort:
		kept := min(p.Keep, p.Dims[len(p.Dims)-1])
		return per(sortOps*float64(ir.Count(p.Dims))*math.Log2(float64(kept+1)), f.OpsPerNs)
	case *ir.Butterfly:
		return per(p.Ops(), f.FFTOpsPerNs)
	case *ir.Map:
		return per(work(p.Code, f)*float64(ir.Count(p.Dims)), f.OpsPerNs)
	case *ir.Reduce:
		return per((work(p.Code, f)+1)*float64(ir.Count(p.Dims))+work(p.Post, f)*float64(ir.Count(p.Outer())), f.OpsPerNs)
	case *ir.Batch:
		ns := 0.0
		for _, q := range p.Programs {
			ns += compute(q, f)
		}
		return ns
	case *ir.Line:
		ns := 0.0
		for i, s := range p.Stages {
			if i > 0 && ir.SortsAlike(&p.Stages[i-1], &p.Stages[i]) {
				continue
			}
			each := compute(s.Program, f)
			if s.Each {
				each *= float64(p.Segments)
			}
			ns += each
		}
		if f.ShortLineGain > 0 && areShort(p) {
			ns /= f.ShortLineGain
		}
		return ns * float64(p.Lines())
	}
	return per(p.Ops(), f.OpsPerNs)
}

// areShort reports lines that are transformed as real ones of at most 64 samples.
func areShort(p *ir.Line) bool {
	const short = 64
	found := false
	for _, s := range p.Stages {
		if f, ok := s.Program.(*ir.FFT); ok {
			if f.Kind == ir.FFTComplex || f.N > short {
				return false
			}
			found = true
		}
	}
	return found
}

// work is what code does for one point, in simple operations.
func work(c ir.Code, f device.Figures) float64 {
	n := 0.0
	for _, in := range c.Instrs {
		if in.Kind != ir.Apply || in.Op == scalar.Copy {
			continue
		}
		w := Weight(in.Op)
		if w == functionOps && f.FunctionOps > 0 {
			w = f.FunctionOps
		}
		n += w
	}
	return n
}

// per divides by a figure; a device that does not know one predicts nothing
// from it.
func per(amount, rate float64) float64 {
	if rate <= 0 {
		return 0
	}
	return amount / rate
}
