package reference

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/kern"
	"github.com/twiddle-go/twiddle/nd/internal/line"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Run executes a program over host buffers, bound as a launch binds them. It
// fails with a *kern.IndexError, or where the program itself is not valid.
func Run(p kern.Program, reads, writes [][]byte, args []scalar.Arg) error {
	if err := p.Verify(); err != nil {
		return err
	}
	if len(reads) != len(p.Reads()) || len(writes) != len(p.Writes()) {
		return fmt.Errorf("reference: %s: %d reads and %d writes bound, want %d and %d",
			p.Name(), len(reads), len(writes), len(p.Reads()), len(p.Writes()))
	}
	switch p := p.(type) {
	case *kern.Map:
		runMap(p, reads, writes, args)
	case *kern.Reduce:
		runReduce(p, reads, writes[0], args)
	case *kern.Scan:
		runScan(p, reads[0], writes[0])
	case *kern.Sort:
		runSort(p, reads[0], writes[0])
	case *kern.Gather:
		return runGather(p, reads[0], reads[1], writes[0])
	case *kern.Scatter:
		return runScatter(p, reads[0], reads[1], writes[0])
	case *kern.Gemm:
		runGemm(p, reads[0], reads[1], writes[0])
	case *kern.FFT:
		runFFT(p, reads[0], writes[0])
	case *kern.Butterfly:
		runButterfly(p, reads[0], reads[1], writes[0])
	case *kern.Overlap:
		runOverlap(p, reads[0], writes[0])
	case *kern.Batch:
		for _, q := range p.Programs {
			r, w := len(q.Reads()), len(q.Writes())
			if err := Run(q, reads[:r], writes[:w], args); err != nil {
				return err
			}
			reads, writes = reads[r:], writes[w:]
		}
	case *line.Program:
		return runLine(p, reads, writes, args)
	default:
		return fmt.Errorf("reference: %s: unknown program", p.Name())
	}
	return nil
}

// points calls f with every index of a space, in row-major order. A space
// without dimensions has one point.
func points(dims []int, f func(at []int)) {
	if kern.Count(dims) == 0 {
		return
	}
	at := make([]int, len(dims))
	for {
		f(at)
		i := len(dims) - 1
		for ; i >= 0; i-- {
			if at[i]++; at[i] < dims[i] {
				break
			}
			at[i] = 0
		}
		if i < 0 {
			return
		}
	}
}

// position is where an operand keeps the element of a point.
func position(o kern.Operand, at []int) int {
	p := o.Offset
	for i, x := range at {
		p += x * o.Strides[i]
	}
	return p
}

func load(o kern.Operand, buf []byte, at []int) Value { return Load(o.Type, buf, position(o, at)) }

func store(v Value, o kern.Operand, buf []byte, at []int) { Store(v, buf, position(o, at)) }

// along gives the index of element i of the line at a point of the space
// without its last dimension.
func along(at []int, i int) []int { return append(append([]int(nil), at...), i) }
