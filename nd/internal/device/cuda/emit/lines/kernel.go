package lines

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// kernel is the kernel of a line program while it is written. A block has some
// lines, and every line some threads that take it through all stages.
type kernel struct {
	*unit
	*text
	guard *guard
	bound map[int]emit.Param // slots in buffers: which parameter they are

	p        *ir.Line
	slots    []slotUse
	ffts     map[int]*transform
	attached map[int]bool // stages that run in the chain of another
	alike    map[int]int  // selections that another one makes as well, by the one that does: one behind it
	virtual  map[int]int  // slots that are computed where they are read, by the map that does
	homes    map[int]home // slots that lie in shared memory
	staged   map[int]int  // slots in buffers whose rows are put together on chip first, by the transform that does
	held     map[int]*accumulator
	served   map[use]bool   // reads that a chain serves
	chains   map[int]*chain // of transforms, by stage
	taken    map[int]bool   // transforms that another one passes its results to
	behind   []*chain       // of what was added up

	lines, threads int // of a block; of a line
	resident       int // blocks of a multiprocessor; 0 for as many as it comes to
	exchange       int // bytes a line exchanges numbers in
	pitch          int // bytes of a line in shared memory
	args           map[int]bool
	inSegments     bool
	scalars        map[int]string      // slots of one element that every thread has
	kept           map[string][]string // loads that a reduction and the transform after it share
	keeps          bool
	near           string // what codes are written with (see emit.Spelling)
	whole          bool   // lines are all there, in spite of margins
	outer          outer
	added          *framesRun // if lines are added where they overlap
	columnDim      int
}

// home is where a line of a slot lies in shared memory.
type home struct {
	name   string
	offset int
}

// slotUse is who writes and reads a slot.
type slotUse struct {
	writers []int
	readers []use
}

// use is an operand of a stage that reads a slot.
type use struct {
	stage, operand int
}

func usesOf(p *ir.Line) []slotUse {
	list := make([]slotUse, len(p.Slots))
	for i, s := range p.Stages {
		for k, slot := range s.Reads {
			list[slot].readers = append(list[slot].readers, use{i, k})
		}
		for _, slot := range s.Writes {
			list[slot].writers = append(list[slot].writers, i)
		}
	}
	return list
}

// along is an operand's stride over the line; 0 for an operand of one point.
func along(o ir.Operand) int {
	if len(o.Strides) == 0 {
		return 0
	}
	return o.Strides[len(o.Strides)-1]
}

// cell is one element of a line, or a few that follow each other: elements
// width*at and on.
type cell struct {
	at    place
	width int
}

func one(at place) cell { return cell{at, 1} }

func (c cell) element(j int) place {
	if c.width == 1 {
		return c.at
	}
	p := c.at
	if p.base != "" {
		p.base = fmt.Sprintf("(%d * %s)", c.width, p.base)
	}
	p.add, p.lo, p.hi = c.width*p.add+j, c.width*p.lo+j, c.width*p.hi+j
	return p
}

// shifted is the cell n elements on; false if that is no cell.
func (c cell) shifted(n int) (cell, bool) {
	if n%c.width != 0 {
		return c, false
	}
	c.at = c.at.plus(n / c.width)
	return c, true
}

// clamped keeps a cell of one element in [0, n), and says when it is there.
func (k *kernel) clamped(c cell, n int) (cell, string) {
	first, last := c.element(0), c.element(c.width-1)
	if first.lo >= 0 && last.hi < n {
		return c, ""
	}
	var ok string
	if first.lo < 0 {
		ok = fmt.Sprintf("%s >= 0", first)
	}
	if last.hi >= n {
		ok = both(ok, fmt.Sprintf("%s < %d", last, n))
	}
	most := max(n/c.width-1, 0)
	at := c.at
	at.base, at.add = k.let("int", "max(min(%s, %d), 0)", c.at, most), 0
	at.lo, at.hi = max(min(at.lo, most), 0), max(min(at.hi, most), 0)
	return cell{at, c.width}, ok
}

// table is the name of a table's pointer.
func (k *kernel) table(key string, data func() []byte, typ string) string {
	name, ok := k.tables[key]
	if !ok {
		name = fmt.Sprintf("table%d", len(k.Tables))
		k.tables[key] = name
		k.Tables = append(k.Tables, emit.Table{Key: key, Data: data})
	}
	if k.inSegments {
		return fmt.Sprintf("((const %s*)%s + fresh)", typ, name)
	}
	return fmt.Sprintf("((const %s*)%s)", typ, name)
}
