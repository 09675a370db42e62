package cuda

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/cuda/driver"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/marks"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// graph is a sequence of launches that the driver is given by one call. It keeps the
// parameters that its kernels have, and changes those that a launch wants otherwise.
// The device's mu guards it.
type graph struct {
	dev     *Device
	driver  driver.Graph
	kernels []*kernel // by launch
	words   []uint64  // parameters of all nodes
	wanted  []uint64  // those of the launch being made
	params  []unsafe.Pointer
	owns    []*fault // by launch
	// What the parameters were made from, unless they are made from more than that.
	operands []device.Buffer
	scratch  driver.Pointer
	more     bool
	queue    *queue // of the last launch
	seq      uint64
	broken   bool // it was freed, or the driver refused to change it
}

// NewGraph makes a graph of launches.
func (d *Device) NewGraph(launches []device.Launch) (device.Graph, error) {
	nodes, params, words := 0, 0, 0
	g := &graph{dev: d, owns: make([]*fault, len(launches))}
	for i := range launches {
		k, ok := launches[i].Kernel.(*kernel)
		if !ok || k.dev != d {
			return nil, fmt.Errorf("%s: kernel %T is another device's", d.name, launches[i].Kernel)
		}
		g.kernels = append(g.kernels, k)
		params += lists.Sum(k.steps, func(s step) int { return len(s.params) })
		words += lists.Sum(k.steps, func(s step) int { return s.words })
		nodes += len(k.steps)
		g.more = g.more || k.fault != nil || k.args > 0
	}
	// One kernel is enough: cuLaunchKernel takes the host 4.5 us (an H200, CUDA 13.0),
	// cuGraphLaunch 2.4, and 3.1 with new parameters.
	if nodes == 0 || !d.gpu.HasGraphs() {
		return nil, device.ErrUnsupported
	}
	if err := d.enterUsable(); err != nil {
		return nil, err
	}
	defer d.leave()
	g.words, g.wanted, g.params = make([]uint64, words), make([]uint64, words), make([]unsafe.Pointer, params)
	list := make([]driver.Node, 0, nodes)
	at, from := 0, 0
	for i := range launches {
		l, k := &launches[i], g.kernels[i]
		if err := k.fits(l); err != nil {
			return nil, err
		}
		for j := range k.steps {
			s := &k.steps[j]
			first, r := bind(g.words[from:], g.params[at:], k, s, l, 0, 0)
			if r != driver.Success {
				return nil, d.failed("graph", r)
			}
			list = append(list, driver.Node{Function: s.function, Grid: s.grid, Block: s.block, Shared: s.shared, Params: first})
			at, from = at+len(s.params), from+s.words
		}
	}
	var r driver.Result
	if g.driver, r = d.gpu.NewGraph(list); r != driver.Success {
		return nil, d.failed("graph", r)
	}
	d.graphs[g] = struct{}{}
	return g, nil
}

// Launch submits the graph, or else its launches one by one, which then say what is
// wrong with them.
func (g *graph) Launch(to device.Queue, launches []device.Launch) {
	if q, ok := to.(*queue); ok && q.dev == g.dev && g.launch(q, launches) {
		return
	}
	for i := range launches {
		to.Launch(launches[i])
	}
}

// launch reports whether all launches were submitted; if not, none was.
func (g *graph) launch(q *queue, launches []device.Launch) bool {
	d := g.dev
	d.mu.Lock()
	defer d.mu.Unlock()
	known := g.knows(q, launches)
	if !known || q.finished.Load() != q.submitted { // there is more to do than launching
		defer d.gpu.Leave()
		if d.gpu.Enter() != driver.Success {
			return false
		}
	}
	if g.broken || q.usable() != nil || g.blocked(launches) {
		return false
	}
	if !known {
		if !g.prepare(q, launches) {
			return false
		}
		if !g.change(q, launches) {
			g.giveCells()
			return false
		}
	}
	q.keep()
	if r := d.gpu.LaunchGraph(&g.driver, q.stream); r != driver.Success {
		g.giveCells()
		_ = d.failed("graph", r)
		return false
	}
	q.submitted++
	q.noteTime()
	g.queue, g.seq = q, q.submitted
	for i := range launches {
		q.flew(&launches[i], g.kernels[i], g.owns[i])
		marks.Set(&launches[i], markOf, g.owns[i], nil)
	}
	return true
}

// blocked reports launches that must not run, or not as this graph. mu is held.
func (g *graph) blocked(launches []device.Launch) bool {
	if len(launches) != len(g.kernels) {
		return true
	}
	for i := range launches {
		l := &launches[i]
		if l.Kernel != device.Kernel(g.kernels[i]) || l.Context != nil && l.Context.Err() != nil || marks.Blocked(l, markOf) != nil {
			return true
		}
	}
	return false
}

// prepare checks what launches are given, and gives them scratch memory and cells for
// faults. mu is held.
func (g *graph) prepare(q *queue, launches []device.Launch) bool {
	scratch := 0
	for i, k := range g.kernels {
		if k.fits(&launches[i]) != nil {
			return false
		}
		scratch = max(scratch, k.scratchBytes)
	}
	if q.reserve(scratch) != nil {
		return false
	}
	clear(g.owns)
	for i, k := range g.kernels {
		var err error
		if g.owns[i], err = q.mayFail(k, launches[i].Label); err != nil {
			g.giveCells()
			return false
		}
	}
	return true
}

// giveCells takes back what launches that are not made had for their faults.
func (g *graph) giveCells() {
	for i, f := range g.owns {
		if f != nil {
			g.dev.cells.put(f.cell)
			g.owns[i] = nil
		}
	}
}

// knows reports whether the kernels have the parameters of these launches, as far as that
// is seen at once. mu is held.
func (g *graph) knows(q *queue, launches []device.Launch) bool {
	if g.more || g.operands == nil || g.scratch != q.scratch || len(launches) != len(g.kernels) {
		return false
	}
	rest := g.operands
	for i := range launches {
		l := &launches[i]
		if len(l.Reads)+len(l.Writes) != len(g.kernels[i].need) {
			return false
		}
		for _, list := range [...][]device.Buffer{l.Reads, l.Writes} {
			for at, b := range list {
				if b != rest[at] || b.(*buffer).at == 0 {
					return false
				}
			}
			rest = rest[len(list):]
		}
	}
	return true
}

// change gives the kernels the parameters of these launches. mu is held.
func (g *graph) change(q *queue, launches []device.Launch) bool {
	g.operands, g.scratch = g.operands[:0], q.scratch
	node, at, from := 0, 0, 0
	for i, k := range g.kernels {
		g.operands = append(append(g.operands, launches[i].Reads...), launches[i].Writes...)
		for j := range k.steps {
			s := &k.steps[j]
			to := from + s.words
			var cell driver.Pointer
			if f := g.owns[i]; f != nil {
				cell = f.cell.at
			}
			first, r := bind(g.wanted[from:], g.params[at:], k, s, &launches[i], q.scratch, cell)
			if r != driver.Success || !slices.Equal(g.wanted[from:to], g.words[from:to]) {
				if r == driver.Success {
					r = g.dev.gpu.SetParams(&g.driver, node, first)
				}
				if r != driver.Success {
					g.broken = true
					_ = g.dev.failed("graph", r)
					return false
				}
				copy(g.words[from:to], g.wanted[from:to])
			}
			at, from = at+len(s.params), to
			node++
		}
	}
	return true
}

// Free gives the driver's graph back when its last launch is over.
func (g *graph) Free() {
	d := g.dev
	if d.enter() != nil {
		return
	}
	defer d.leave()
	g.broken = true
	if _, live := d.graphs[g]; !live {
		return
	}
	delete(d.graphs, g)
	if q := g.queue; q != nil && q.finished.Load() < g.seq && !q.closed {
		q.asked = max(q.asked, q.submitted)
		q.graphs = append(q.graphs, g)
		return
	}
	g.destroy()
}

// destroy ends the driver's graph. mu is held.
func (g *graph) destroy() {
	_ = g.dev.gpu.DestroyGraph(&g.driver)
	g.queue = nil
}

var _ device.Grapher = (*Device)(nil)
