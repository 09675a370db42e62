package reference

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Run executes a program over host buffers, bound as a launch binds them. It
// fails with a *ir.IndexError, or where the program itself is not valid.
func Run(p ir.Program, reads, writes [][]byte, args []scalar.Arg) error {
	if err := p.Verify(); err != nil {
		return err
	}
	if len(reads) != len(ir.Reads(p)) || len(writes) != len(ir.Writes(p)) {
		return fmt.Errorf("reference: %s: %d reads and %d writes bound, want %d and %d",
			p.Name(), len(reads), len(writes), len(ir.Reads(p)), len(ir.Writes(p)))
	}
	switch p := p.(type) {
	case *ir.Map:
		runMap(p, reads, writes, args)
	case *ir.Reduce:
		runReduce(p, reads, writes[0], args)
	case *ir.Scan:
		runScan(p, reads[0], writes[0])
	case *ir.Sort:
		runSort(p, reads[0], writes)
	case *ir.Gather:
		return runGather(p, reads[0], reads[1], writes[0])
	case *ir.Scatter:
		return runScatter(p, reads[0], reads[1], writes[0])
	case *ir.Gemm:
		runGemm(p, reads[0], reads[1], writes[0])
	case *ir.FFT:
		runFFT(p, reads, writes)
	case *ir.Butterfly:
		runButterfly(p, reads[0], reads[1], writes[0])
	case *ir.Overlap:
		runOverlap(p, reads[0], writes[0])
	case *ir.Batch:
		for _, q := range p.Programs {
			r, w := len(ir.Reads(q)), len(ir.Writes(q))
			if err := Run(q, reads[:r], writes[:w], args); err != nil {
				return err
			}
			reads, writes = reads[r:], writes[w:]
		}
	case *ir.Line:
		return runLine(p, reads, writes, args)
	default:
		return fmt.Errorf("reference: %s: unknown program", p.Name())
	}
	return nil
}

// points calls f with every index of a space, in row-major order. A space
// without dimensions has one point.
func points(dims []int, f func(at []int)) {
	if ir.Count(dims) == 0 {
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
func position(o ir.Operand, at []int) int { return o.Offset + lists.Dot(at, o.Strides) }

func load(o ir.Operand, buf []byte, at []int) Value { return Load(o.Type, buf, position(o, at)) }

func store(v Value, o ir.Operand, buf []byte, at []int) { Store(v, buf, position(o, at)) }

// along gives the index of element i of the line at a point of the space
// without its last dimension.
func along(at []int, i int) []int { return append(append([]int(nil), at...), i) }
