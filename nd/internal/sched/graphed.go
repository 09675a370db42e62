package sched

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// graphed is a recording whose launches a device is given by one call. The memory of
// its intermediate results stays with it, so that only what inputs and results are in
// changes from call to call. A recording runs on one stream, one call after the other:
// so neither the graph nor that memory is ever used twice at once. The engine's lock
// guards it.
type graphed struct {
	dev      *Device
	calls    int
	never    bool // the device does not want it
	graph    device.Graph
	blocks   []*device.Block // by slot; nil for results and inputs
	bytes    int
	launches []device.Launch // of the call being made
}

// graphAfter is how many calls of a recording are made launch by launch: making a
// graph takes as long as tens of them.
const graphAfter = 2

// Bounds on the memory that graphs of a device keep: where intermediate results are
// larger, the GPU is busy for longer than the host takes to launch.
const (
	maxGraphBytes   = 256 << 20
	graphBytesShare = 64 // of the device's memory
	maxGraphs       = 256
)

// graphOf is the graph of a recording, which may be about to be made; nil if its
// launches are to be made one by one.
func (r *recording) graphOf() *graphed {
	g, d := &r.graph, r.w.dev
	if g.dev == nil {
		g.dev = d
		g.never = d.grapher == nil || len(r.s.lanes) != 1
		for i := range r.s.slots {
			if r.s.isKept(i) {
				g.bytes += r.s.slots[i].bytes
			}
		}
		g.never = g.never || g.bytes > d.graphLimit()
	}
	if g.calls++; g.never || g.calls <= graphAfter || d.engine.tracers.Load() != nil {
		return nil
	}
	return g
}

func (d *Device) graphLimit() int { return d.bound(maxGraphBytes, graphBytesShare) }

// bound is so many bytes, but no more than a share of the device's memory limit.
func (d *Device) bound(most, share int) int {
	if limit := d.pool.Usage().Limit; limit > 0 {
		most = min(most, limit/share)
	}
	return most
}

// isKept reports whether a slot is memory that no result is in and no input was in.
func (s *schedule) isKept(slot int) bool { return !s.slots[slot].result && s.slots[slot].leaf < 0 }

// keep takes a reference to the memory of intermediate results, the first time.
func (g *graphed) keep(s *schedule, blocks []*device.Block) {
	if g.blocks != nil {
		return
	}
	g.dev.makeRoomForGraph(g.bytes)
	g.dev.graphs = append(g.dev.graphs, g)
	g.blocks = make([]*device.Block, len(blocks))
	for i, b := range blocks {
		if s.isKept(i) {
			b.Retain()
			g.blocks[i] = b
		}
	}
}

// launch submits what was collected.
func (g *graphed) launch(q device.Queue) {
	if g.graph == nil && !g.never {
		var err error
		if g.graph, err = g.dev.grapher.NewGraph(g.launches); err != nil {
			g.graph, g.never = nil, true // what may be wrong, the launches tell
		}
	}
	if g.graph != nil {
		g.graph.Launch(q, g.launches)
	} else {
		for i := range g.launches {
			q.Launch(g.launches[i])
		}
		g.dev.dropGraph(g)
	}
	clear(g.launches)
	g.launches = g.launches[:0]
}

// drop gives the graph and its memory back; it is made again if it is used again.
func (g *graphed) drop() {
	if g.graph != nil {
		g.graph.Free()
		g.graph = nil
	}
	for _, b := range g.blocks {
		if b != nil {
			b.Release()
		}
	}
	g.blocks = nil
}

// dropGraph drops one of the device's graphs.
func (d *Device) dropGraph(g *graphed) {
	d.graphs = slices.DeleteFunc(d.graphs, func(other *graphed) bool { return other == g })
	g.drop()
}

// makeRoomForGraph drops the graphs that were made first, until another of so many
// bytes fits in.
func (d *Device) makeRoomForGraph(bytes int) {
	bytes += lists.Sum(d.graphs, func(g *graphed) int { return g.bytes })
	for len(d.graphs) > 0 && (bytes > d.graphLimit() || len(d.graphs) >= maxGraphs) {
		bytes -= d.graphs[0].bytes
		d.dropGraph(d.graphs[0])
	}
}

// dropGraphs drops all of them, and reports whether there were any.
func (d *Device) dropGraphs() bool {
	had := len(d.graphs) > 0
	for len(d.graphs) > 0 {
		d.dropGraph(d.graphs[0])
	}
	return had
}

// dropGraphsOf is dropGraphs for the device of an evaluation that found no memory.
func (e *Engine) dropGraphsOf(device int) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	d, err := e.device(device)
	return err == nil && d.dropGraphs()
}
