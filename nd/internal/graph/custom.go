package graph

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/kernc"
	"github.com/twiddle-go/twiddle/nd/internal/caller"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// Launch is a run of a custom kernel, all outputs together.
type Launch struct {
	Unit              *kernc.Unit
	Shapes            [][]int // of the outputs
	Grid, Threadgroup [3]int  // in threads
	Init              float64 // what outputs hold before the kernel runs
	Whole             bool    // the kernel sets all elements of outputs
	Check             bool
	Strided           bool // inputs as they lie, not packed
	Limit             int64
	Work              float64      // operations of all threads, for predictions; 0 is unknown
	From              *caller.Call // to blame for its errors; no part of the key
}

// CustomAttr is one output of a launch. Nodes with equal launches and inputs
// are outputs of the same run when they are evaluated together.
type CustomAttr struct {
	Launch *Launch
	Index  int
}

// AppendKey of the launch alone; that of an output ends in its index.
func (l *Launch) AppendKey(d []byte) []byte {
	d = append(d, l.Unit.Key[:]...)
	d = keys(d, l.Grid[:], l.Threadgroup[:])
	d = keys(key(d, len(l.Shapes)), l.Shapes...)
	d = key(d, flag(l.Whole), flag(l.Check), flag(l.Strided), int(l.Limit))
	d = binary.LittleEndian.AppendUint64(d, math.Float64bits(l.Init))
	return binary.LittleEndian.AppendUint64(d, math.Float64bits(l.Work))
}

// AppendKey writes the launch and the index.
func (a CustomAttr) AppendKey(d []byte) []byte { return key(a.Launch.AppendKey(d), a.Index) }

func (a CustomAttr) String() string {
	l := a.Launch
	return fmt.Sprintf("%s.%s grid=%v threadgroup=%v", l.Unit.Name, l.Unit.Outputs[a.Index].Name, l.Grid, l.Threadgroup)
}

// MaxThreads is the largest threadgroup of any device.
const MaxThreads = 1024

// NewCustom makes the nodes of a launch, one per output, at a place.
func NewCustom(p Place, l *Launch, in ...*Node) ([]*Node, error) {
	for _, x := range in {
		if x.Device != p.Device {
			return nil, &ApartError{p.Device, x.Device}
		}
	}
	out := make([]*Node, len(l.Unit.Outputs))
	for i := range out {
		d := Def{Op: Custom, Attr: CustomAttr{l, i}, Device: p.Device, Stream: p.Stream}
		var err error
		if d.Type, d.Shape, err = infer(&d, in); err != nil {
			return nil, err
		}
		out[i] = newNode(&d, in, d.Args)
	}
	return out, nil
}

func inferCustom(d *Def, in []*Node) (elem.Type, []int, error) {
	a, err := attr[CustomAttr](d)
	if err != nil {
		return wrong(err)
	}
	l := a.Launch
	u := l.Unit
	if err := arity(in, len(u.Inputs)); err != nil {
		return wrong(err)
	}
	for i, x := range in {
		if x.Type != u.Inputs[i].Type {
			return wrongf("input %s is %s, compiled for %s", u.Inputs[i].Name, x.Type, u.Inputs[i].Type)
		}
	}
	if len(l.Shapes) != len(u.Outputs) {
		return wrongf("%s for %s", counted.Of(len(l.Shapes), "shape"), counted.Of(len(u.Outputs), "output"))
	}
	if a.Index < 0 || a.Index >= len(u.Outputs) {
		return wrongf("output %d of %d", a.Index, len(u.Outputs))
	}
	threads := 1
	for i := range 3 {
		if l.Grid[i] < 1 || l.Grid[i] > math.MaxInt32 {
			return wrongf("grid %v: every dimension must be between 1 and 2^31-1", l.Grid)
		}
		if l.Threadgroup[i] < 1 {
			return wrongf("threadgroup %v: every dimension must be at least 1", l.Threadgroup)
		}
		threads *= min(l.Threadgroup[i], MaxThreads+1)
	}
	if threads > MaxThreads {
		return wrongf("threadgroup %v has more than %d threads", l.Threadgroup, MaxThreads)
	}
	if _, err := shape.Size(l.Grid[:]); err != nil {
		return wrongf("grid %v has too many threads", l.Grid)
	}
	return sized(u.Outputs[a.Index].Type, slices.Clone(l.Shapes[a.Index]))
}
