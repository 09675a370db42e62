package line

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/dft"
)

// kernel is the kernel of a line program in the making. A group has some lines,
// and every line some threads that take it through all stages.
type kernel struct {
	*entry
	guard *guard
	bound map[ir.SlotID]kgen.Param // slots in buffers: which parameter they are

	p        *ir.Line
	slots    []ir.SlotUse
	ffts     map[int]*transform
	attached map[int]bool       // stages that run in the chain of another
	virtual  map[ir.SlotID]int  // slots that are computed where they are read, by the map that does
	homes    map[ir.SlotID]home // slots that lie in shared memory
	staged   map[ir.SlotID]int  // slots in buffers whose rows are put together on chip first, by the transform that does
	together bool               // staged rows of a group are stored as one
	carried  map[ir.SlotID]bool // slots in buffers whose rows a group carries to or from its shared memory as one: see carry.go
	held     map[ir.SlotID]*accumulator
	served   map[ir.Use]bool          // reads that a chain serves
	chains   map[int]*chain           // of transforms, by stage
	taken    map[int]bool             // transforms that another one passes its results to
	behind   []*chain                 // of what was added up
	beside   map[int]int              // by transform: another one that is made side by side with it
	met      map[ir.SlotID][]kgen.Num // of transforms beside others: the values at the cell that a chain is at

	lines, threads int // of a group; of a line
	cluster        int // groups that share a line; 0 for none
	resident       int // groups of a multiprocessor; 0 for as many as it comes to
	exchange       int // bytes a line exchanges numbers in
	tail           int // bytes of slots and exchanges
	pitch          int // bytes of a line in shared memory

	t, row, live    build.Val // thread of the line, line of the group, whether it is one of the program's
	t2, row2, live2 build.Val // the same where threads have changed places
	at              map[ir.SlotID]build.Val
	offsets         map[ir.SlotID]build.Val // by slot: of its line in the buffer
	runs, lengths   map[ir.SlotID]build.Val // by slot with a margin
	fills           map[ir.SlotID]kgen.Num

	segment, segments build.Val               // of the loop over segments
	fresh             build.Val               // zero, which the compiler cannot know; nothing outside of segments
	parts             map[ir.SlotID]build.Val // by slot: the segment's part of it
	again0            build.Val               // zero, where all is computed once more; nothing elsewhere
	scalars           map[ir.SlotID]kgen.Num  // slots of one element that every thread has
	kept              map[loaded][]kgen.Num
	keeps             bool
	singly            int                           // which element of a cell it is, where they are taken one by one
	near              build.Val                     // a variable: see kgen.Codes
	products          map[*ktree.Var][][2]build.Val // the same
	alone             bool                          // a thread takes a line through all stages by itself
	ahead             func()                        // called once, behind the first loads: asks for lines of groups that run later
	group             build.Val                     // the number of the group whose lines are computed
	whole             bool                          // lines are all there, in spite of margins
	outer             outer
	added             *framesRun // if lines are added where they overlap
	blend             *blending  // if a filter's bins are blended before
	pair              *pairing   // if two lines are computed at a time
	once              bool       // no two groups read the same sector of a line: see build.Once
	columnDim         int
}

// loaded names what was read: loads that a reduction and the transform after it
// share.
type loaded struct {
	slot                      ir.SlotID
	offset, along, width, add int
	base                      *ktree.Var
}

// home is where a line of a slot lies in shared memory.
type home struct {
	name   string
	offset int
}

// open begins the function of a kernel.
func (k *kernel) open(threads, resident, pool int) {
	e := k.entry
	e.Kernel = build.NewKernel(fmt.Sprintf("lines%d", len(k.Steps)), threads)
	e.Beside(resident)
	e.ByBytes(k.hasNear())
	e.Cluster(k.cluster)
	if k.target.PoolBytes > 0 {
		e.Pool(pool)
	}
	e.start()
	k.group = k.Group()
	for i, s := range k.p.EachSlot() {
		if s.Kind != ir.LocalSlot {
			k.buffer(k.bufferOf(i), kgen.MemoryOf(s.Type), k.bound[i], s.Kind == ir.OutSlot || k.inPlace() && !k.target.Wide)
		}
	}
}

// inPlace reports a pass that writes where it reads.
func (k *kernel) inPlace() bool {
	in, ok := k.bound[0]
	out, too := k.bound[1]
	return ok && too && in == out
}

// bufferOf is the name of a slot's buffer. What is written where it is read is one
// buffer, but where buffers may be one in spite of two names: then loads need not
// mind stores.
func (k *kernel) bufferOf(slot ir.SlotID) string {
	if k.inPlace() && !k.target.Wide {
		slot = 0
	}
	return fmt.Sprintf("p%d", slot)
}

// close ends it: so many groups are launched.
func (k *kernel) close(groups int) {
	k.Kernels = append(k.Kernels, k.Program())
	k.Steps = append(k.Steps, kgen.Step{Kernel: len(k.Kernels) - 1, Groups: groups, Threads: k.Threads(), Params: k.params})
}

// table is a pointer to constants.
func (k *kernel) table(key string, t ktree.Type, data func() []byte) build.Val {
	i, ok := k.tables[key]
	if !ok {
		i = len(k.Tables)
		k.tables[key] = i
		k.Tables = append(k.Tables, kgen.Table{Key: key, Data: data})
	}
	b := k.buffer(fmt.Sprintf("table%d", i), t, kgen.Param{Kind: kgen.TablePointer, Index: i}, false)
	for _, nothing := range []build.Val{k.fresh, k.again0} {
		if !nothing.IsNil() {
			b = b.Plus(nothing)
		}
	}
	return b
}

// room is the pointer to the line's shared memory from a byte on, as elements of a
// type.
func (k *kernel) room(t ktree.Type, offset int) build.Val { return k.roomOf(t, offset, k.row, false) }

func (k *kernel) roomOf(t ktree.Type, offset int, row build.Val, turned bool) build.Val {
	key := roomKey{t, offset, turned}
	if r, ok := k.rooms[key]; ok {
		return r
	}
	chip, size := k.pool(t), t.Comps()*t.Kind.Bits()/8
	k.AtStart(func() { k.rooms[key] = k.Let("room", chip.Plus(raised(row.Mul(k.pitch/size), offset/size))) })
	return k.rooms[key]
}

// pool is the pointer to a group's shared memory, as elements of a type.
func (k *kernel) pool(t ktree.Type) build.Val {
	if _, ok := k.views[t]; !ok {
		k.AtStart(func() { k.views[t] = k.View("chip", t) })
	}
	return build.Address(k.views[t])
}

// swap is where the threads of a line exchange elements of a type.
func (k *kernel) swap(t ktree.Type) build.Val { return k.room(t, 0) }

// swapped is the part of shared memory that exchanges use.
const swapped = "swap"

// arith computes in a precision.
func (k *kernel) arith(p *precision) dft.Arith {
	return dft.Arith{Kind: p.kind, Lanes: p.lanes, Let: func(v build.Val) build.Val { return k.Let("v", v) }}
}

// codes computes codes.
func (k *kernel) codes() kgen.Codes {
	return kgen.Codes{Kernel: k.Kernel, Argument: k.argument, Consts: k.consts, Near: k.near, Products: k.products}
}

// code computes a code at a cell. It gives, for every wanted instruction, the
// values at the cell's elements.
func (k *kernel) code(c *ir.Code, load func(operand int) []kgen.Num, at cell, wanted []ir.ValueID) [][]kgen.Num {
	loaded := map[int][]kgen.Num{}
	for _, slot := range kgen.Needed(c, wanted...) {
		loaded[slot] = load(slot)
	}
	out := make([][]kgen.Num, len(wanted))
	for j := range at.width {
		values := k.codes().At(c, "u", kgen.Leaves{
			Load:  func(slot int) kgen.Num { return loaded[slot][j] },
			Index: func(slot int) build.Val { return where(c.Positions[slot], at.element(j)).To(ktree.Long) },
		}, wanted...)
		for i, v := range values {
			out[i] = append(out[i], v)
		}
	}
	return out
}

// framesRun is the part of a result that a group has.
type framesRun struct {
	dims   int   // of outer, the last ones: they number frames
	frames int   // of one result
	run    int   // frames that are the group's own
	halo   int   // that reach its part from before
	parts  int   // of one result
	items  int   // results
	places []int // by sum: its bytes in shared memory
	bytes  int   // of all
}

// isSum reports a slot that lines are added to.
func (k *kernel) isSum(slot ir.SlotID) bool {
	return slices.ContainsFunc(k.p.Sums(), func(s ir.Stage) bool { return s.Writes[0] == slot })
}

// chain is the maps that run on the results of a transform, or on what was
// accumulated, while those are in registers: on each element by the thread that
// has it, in whatever order the elements are.
type chain struct {
	values map[ir.SlotID]int // slots whose elements pass by: element = index + values[slot]
	stages []link
	calls  int       // how often it was made
	from   int       // the transform whose results they are
	next   int       // the transform that takes the results on; -1 for none
	gives  ir.SlotID // the slot it reads
}

// link is a map of a chain: it is at point index + shift.
type link struct {
	stage, shift int
}

// accumulator is a slot that adds up over segments in registers.
type accumulator struct {
	slot    ir.SlotID
	at      []spot              // by register: which result of the transform it adds up
	sums    map[[2]int]kgen.Num // by register and level: of what was added up since the last chain, or of chains
	element int                 // of the slot, less the result's index
	chain   *chain
}

// spot is an element of a cell of results.
type spot struct{ cell, element int }

func (u *unit) kernel(p *ir.Line) *kernel {
	return &kernel{
		entry: &entry{unit: u}, p: p, outer: outerOf(p), bound: map[ir.SlotID]kgen.Param{},
		ffts: map[int]*transform{}, attached: map[int]bool{}, virtual: map[ir.SlotID]int{}, homes: map[ir.SlotID]home{}, staged: map[ir.SlotID]int{}, carried: map[ir.SlotID]bool{},
		held: map[ir.SlotID]*accumulator{}, served: map[ir.Use]bool{}, chains: map[int]*chain{}, taken: map[int]bool{}, beside: map[int]int{},
		scalars: map[ir.SlotID]kgen.Num{}, at: map[ir.SlotID]build.Val{}, offsets: map[ir.SlotID]build.Val{}, runs: map[ir.SlotID]build.Val{}, lengths: map[ir.SlotID]build.Val{},
		fills: map[ir.SlotID]kgen.Num{}, parts: map[ir.SlotID]build.Val{},
	}
}

// longMagnitudes is from how many samples on a line by itself has short ways to magnitudes. On
// an H200 magnitudes of the bins of 16384 float32 take 0.79 of the time, of 4096 0.97; of 256 they
// would take 1.1.
const longMagnitudes = 4096

// hasNear reports a program whose roots and quotients have short ways. Between
// segments a line keeps what cannot be computed once more.
func (k *kernel) hasNear() bool {
	transforms := transformsOf(k.p)
	magnitudes := len(transforms) > 1 || len(transforms) == 1 && k.p.Stages[transforms[0]].Program.(*ir.FFT).N >= longMagnitudes
	return k.target.Wide && k.p.Segments == 1 && slices.ContainsFunc(k.p.Stages, func(s ir.Stage) bool {
		c := codeOf(s)
		return c != nil && kgen.HasNear(c, magnitudes)
	})
}

func (k *kernel) newNear() build.Val {
	var codes []*ir.Code
	for _, s := range k.p.Stages {
		if c := codeOf(s); c != nil {
			codes = append(codes, c)
		}
	}
	return k.codes().NewNear(codes...)
}

// codeOf is the code that a stage has for each of its points.
func codeOf(stage ir.Stage) *ir.Code {
	switch p := stage.Program.(type) {
	case *ir.Map:
		return &p.Code
	case *ir.Reduce:
		return &p.Code
	}
	return nil
}
