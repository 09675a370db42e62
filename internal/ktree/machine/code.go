package machine

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/flat"
	"github.com/twiddle-go/twiddle/internal/ktree/source"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
)

// Code is a kernel ready to run. It does not change, so any number of
// launches may share it.
type Code struct {
	source *source.Source
	name   string
	mems   []*flat.Mem
	pool   int // bytes
	// cluster is how many groups run together, 1 for none.
	cluster int
	// counted is the bytes that are pushed to each of them, 0 if they do not count.
	counted int
	k       *vec.Table
	body    []step
	regs    [classes]int
	slots   [2]int
	depth   int

	// alone: threads neither meet nor ask for their group, so that tiles of
	// the machine's choosing can run instead of groups.
	alone bool
	// serial: the order of groups shows in the result.
	serial bool
	atomic bool

	frames sync.Pool
}

// Operand is a buffer with the shape its metadata speaks of.
type Operand struct {
	Data    []byte
	Shape   []int
	Strides []int
}

// Launch is one run of a kernel.
type Launch struct {
	Grid, Group [3]int // in threads
	Inputs      []Operand
	Outputs     []Operand
	// Params are the bytes of the parameters of an engine's kernel: what a buffer
	// points to, or the value of a number, which may be longer than it.
	Params [][]byte
	// Check watches for races and conflicting writes; groups then run one
	// after the other.
	Check bool
	// Whole says, per output, that the kernel sets every element and reads none
	// before, which Check holds it to. None is no output.
	Whole []bool
	// Limit bounds the turns of all loops of one group together; 0 does not.
	Limit int64
	// Context is looked at between groups and in long loops.
	Context context.Context
	// Parallel runs tasks, possibly at once. nil runs them in order.
	Parallel func(tasks int, run func(task int))
}

// Run executes every thread of the grid. On error outputs are half written.
func (c *Code) Run(l Launch) error {
	for i := range 3 {
		if l.Grid[i] < 1 || l.Group[i] < 1 {
			return fmt.Errorf("grid %v in groups of %v", l.Grid, l.Group)
		}
	}
	if n := l.Group[0] * l.Group[1] * l.Group[2]; n > maxLanes {
		return fmt.Errorf("a group of %d threads, the limit is %d", n, maxLanes)
	}
	if l.Context == nil {
		l.Context = context.Background()
	}
	tile := l.Group
	if c.alone {
		tile = tileOf(l.Grid)
	}
	var count [3]int
	for i := range 3 {
		count[i] = (l.Grid[i] + tile[i] - 1) / tile[i]
	}
	r := &runner{code: c, launch: &l, tile: tile, count: count, groups: count[0] * count[1] * count[2]}
	switch {
	case c.cluster > 1:
		return r.clusters()
	case l.Check:
		return r.watched()
	case c.serial || l.Parallel == nil && !c.atomic:
		return r.span(0, r.groups, nil)
	case c.atomic:
		return r.logged()
	}
	return r.parallel(0, r.groups, nil)
}

// tileOf cuts a grid of independent threads into tiles as long as possible.
func tileOf(grid [3]int) [3]int {
	x := min(grid[0], maxLanes)
	y := min(grid[1], maxLanes/x)
	z := min(grid[2], maxLanes/(x*y))
	return [3]int{x, y, z}
}

// runner is a launch in progress.
type runner struct {
	code   *Code
	launch *Launch
	tile   [3]int
	count  [3]int
	groups int
	failed atomic.Int64 // 1 + the lowest task that failed, 0 if none
}

// parallel runs groups lo..hi as tasks. The error is that of the first group
// that fails, whichever task saw it first.
func (r *runner) parallel(lo, hi int, logs []*atomicLog) error {
	const most = 64 // enough for balance, few enough that a task is worth starting
	tasks := min(hi-lo, most)
	if logs != nil {
		tasks = len(logs)
	}
	errs := make([]error, tasks)
	r.failed.Store(0)
	run := func(task int) {
		if first := r.failed.Load(); first != 0 && first <= int64(task) {
			return
		}
		var log *atomicLog
		if logs != nil {
			log = logs[task]
		}
		n := hi - lo
		errs[task] = r.span(lo+n*task/tasks, lo+n*(task+1)/tasks, log)
		for errs[task] != nil {
			first := r.failed.Load()
			if first != 0 && first <= int64(task)+1 || r.failed.CompareAndSwap(first, int64(task)+1) {
				break
			}
		}
	}
	if r.launch.Parallel == nil {
		for t := range tasks {
			run(t)
		}
	} else {
		r.launch.Parallel(tasks, run)
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// logged runs a kernel with atomic outputs: what groups add is logged and
// applied in the order of groups, so that sums have the same bits every time.
func (r *runner) logged() error {
	const wave = 256
	logs := make([]*atomicLog, wave)
	for i := range logs {
		logs[i] = &atomicLog{}
	}
	for lo := 0; lo < r.groups; lo += wave {
		hi := min(lo+wave, r.groups)
		part := logs[:hi-lo]
		if err := r.parallel(lo, hi, part); err != nil {
			return err
		}
		f := r.frame()
		for _, log := range part {
			log.apply(f)
		}
		r.release(f)
	}
	return nil
}

// watched runs groups in order under the watch.
func (r *runner) watched() error {
	w := newWatch(r.code, r.launch)
	f := r.frame()
	f.watch = w
	err := r.over(f, 0, r.groups)
	f.watch = nil
	r.release(f)
	if err == nil {
		err = w.unset(r.code)
	}
	return err
}

// span runs groups lo..hi in order on one frame.
func (r *runner) span(lo, hi int, log *atomicLog) error {
	f := r.frame()
	f.log = log
	err := r.over(f, lo, hi)
	f.log = nil
	r.release(f)
	return err
}

// frame binds a frame to the launch.
func (r *runner) frame() *frame {
	f, _ := r.code.frames.Get().(*frame)
	if f == nil {
		f = newFrame(r.code)
	}
	f.launch, f.ctx = r.launch, r.launch.Context
	for i, m := range r.code.mems {
		switch m.Role {
		case ktree.Input:
			f.mem[i].view(m, r.launch.Inputs[m.Index].Data)
		case ktree.Output:
			f.mem[i].view(m, r.launch.Outputs[m.Index].Data)
		case ktree.Buffer, ktree.Number:
			f.mem[i].view(m, r.launch.Params[m.Index])
		case ktree.Meta:
			f.mem[i].meta(m, r.launch.Inputs[m.Index])
		}
	}
	return f
}

// release returns a frame, without the caller's memory.
func (r *runner) release(f *frame) {
	f.launch, f.ctx = nil, nil
	for i, m := range r.code.mems {
		if m.IsOperand() {
			f.mem[i] = memory{}
		}
	}
	r.code.frames.Put(f)
}

// meta holds an input's shape, strides or number of axes.
func (m *memory) meta(o *flat.Mem, in Operand) {
	switch o.What {
	case "shape":
		m.n = len(in.Shape)
		m.i32 = make([]int32, m.n)
		for i, d := range in.Shape {
			m.i32[i] = int32(d)
		}
	case "strides":
		m.n = len(in.Strides)
		m.i64 = make([]int64, m.n)
		for i, s := range in.Strides {
			m.i64[i] = int64(s)
		}
	default:
		m.n = 1
		m.i32 = []int32{int32(len(in.Shape))}
	}
}

// over runs groups lo..hi and turns a halt into its error.
func (r *runner) over(f *frame, lo, hi int) (err error) {
	defer func() {
		if e := recover(); e != nil {
			h, ok := e.(halt)
			if !ok {
				panic(e)
			}
			err = h.err
		}
	}()
	for g := lo; g < hi; g++ {
		if f.ctx.Err() != nil {
			return context.Cause(f.ctx)
		}
		r.begin(f, g)
		run(f, r.code.body)
	}
	return nil
}

// begin makes a frame ready for a group.
func (r *runner) begin(f *frame, g int) {
	var at, origin, ext [3]int
	at[0] = g % r.count[0]
	at[1] = g / r.count[0] % r.count[1]
	at[2] = g / (r.count[0] * r.count[1])
	for i := range 3 {
		origin[i] = at[i] * r.tile[i]
		ext[i] = min(r.tile[i], r.launch.Grid[i]-origin[i])
	}
	f.begin(g, at, origin, ext)
}

// turn counts a turn of a loop.
func (f *frame) turn(at source.Pos, depth int) {
	f.steps++
	if limit := f.launch.Limit; limit > 0 && f.steps > limit {
		f.fail(at, f.levels[depth].first(), "loops took more than %d turns", limit)
	}
	if f.steps&0xfff == 0 && f.ctx.Err() != nil {
		panic(halt{context.Cause(f.ctx)})
	}
}
