package sched

import (
	"errors"
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/cost"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/plan"
)

// schedule is a plan made ready for a device: its kernels compiled, its
// buffers assigned to slots of memory, its streams fenced against each other.
// It says nothing about particular values, and is used for every graph of its
// shape.
type schedule struct {
	dev   *Device
	plan  *plan.Plan
	steps []step

	refs []int32 // buffers of all launches
	args []plan.Arg

	lanes  []int // the streams in use
	slots  []slot
	slotOf []int32 // by buffer; -1 for leaves
	reads  []leafRead
	laneOf []int32 // by buffer: where it is written last; -1 for leaves
	ends   []endWait
	events int
	apart  bool // results share no memory with what comes before them
}

// step is a launch. Ranges are into refs and args.
type step struct {
	kernel device.Kernel
	lane   int
	reads  [2]int32
	writes [2]int32
	args   [2]int32
	adds   bool
	label  string
	blamed plan.NodeID // whose call its errors name; -1 if that of no single node
	waits  []int32     // events
	record int32       // the event to record, or -1
}

// slot is memory that buffers take turns in.
type slot struct {
	bytes  int
	lane   int // of the first write
	lanes  []int
	leaf   int  // take over the block of this donated leaf; -1 for none
	result bool // outlives the run
}

// endWait is an event that a lane waits for after its last step.
type endWait struct {
	lane  int
	event int32
}

// leafRead says that a lane reads a leaf.
type leafRead struct{ leaf, lane int }

// schedule makes a schedule for what was walked. A device that refuses a line program
// gets smaller ones, and one that refuses another fused program gets one program per
// operation instead. The plan says so.
func (d *Device) schedule(w *walker, outputs []*graph.Node) (*schedule, error) {
	if d.engine.Checked {
		if err := graph.Verify(outputs...); err != nil {
			return nil, err
		}
	}
	d.kernels.sweep() // of plans that were only explained, or failed
	g := w.lowerGraph(outputs)
	made, err := plan.Make(g, d.info, plan.Options{InOrder: w.inParts})
	if err != nil {
		return nil, err
	}
	kernels, err := d.compile(made)
	if errors.Is(err, device.ErrUnsupported) { // by asking before steps are joined along lines
		if made, err = plan.Make(g, d.info, plan.Options{InOrder: w.inParts, Refuses: d.refuses}); err != nil {
			return nil, err
		}
		kernels, err = d.compile(made)
	}
	if errors.Is(err, device.ErrUnsupported) {
		refused := err
		if made, err = plan.Make(g, d.info, plan.Options{MaxOps: 1}); err != nil {
			return nil, err
		}
		made.Notes = append(made.Notes, fmt.Sprintf("not fused: %v", refused))
		kernels, err = d.compile(made)
	}
	if err != nil {
		return nil, err
	}
	donated := lists.Map(g.Leaves, func(l plan.Leaf) bool { return w.values[l.Node].isDonated() && w.values[l.Node].view.IsContiguous() })
	s := &schedule{dev: d, plan: made, apart: w.apart()}
	s.bind(kernels, g.Nodes)
	clocks := s.fence()
	s.assign(clocks, donated)
	if d.engine.Checked {
		if err := made.Verify(); err != nil {
			return nil, err
		}
		if err := s.verify(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// refuses is why the device does not run a line program.
func (d *Device) refuses(p *ir.Line) error {
	_, err := d.kernel(p)
	return err
}

func (d *Device) compile(p *plan.Plan) ([]device.Kernel, error) {
	kernels := make([]device.Kernel, len(p.Steps))
	if slow, ok := device.As[device.Preparer](d.dev); ok {
		programs := lists.Map(p.Steps, func(s plan.Step) ir.Program { return s.Program })
		slow.Prepare(lists.Filter(programs, func(p ir.Program) bool { return d.kernels.get(p) == nil }))
	}
	for i := range p.Steps {
		var err error
		if kernels[i], err = d.kernel(p.Steps[i].Program); err != nil {
			return nil, fmt.Errorf("%s: %w", p.Steps[i].Label, err)
		}
	}
	return kernels, nil
}

// bind lays out the steps.
func (s *schedule) bind(kernels []device.Kernel, nodes []*graph.Node) {
	s.laneOf = slices.Repeat([]int32{-1}, len(s.plan.Buffers))
	span := func(from int) [2]int32 { return [2]int32{int32(from), int32(len(s.refs))} }
	for i := range s.plan.Steps {
		p := &s.plan.Steps[i]
		st := step{kernel: kernels[i], adds: p.Adds, label: p.Label, blamed: p.Blamed(nodes), record: -1}
		if st.lane = slices.Index(s.lanes, p.Stream); st.lane < 0 {
			st.lane = len(s.lanes)
			s.lanes = append(s.lanes, p.Stream)
		}
		n := len(s.refs)
		for _, b := range p.Reads {
			s.refs = append(s.refs, int32(b))
		}
		st.reads = span(n)
		n = len(s.refs)
		for _, b := range p.Writes {
			s.refs = append(s.refs, int32(b))
			s.laneOf[b] = int32(st.lane)
		}
		st.writes = span(n)
		st.args[0] = int32(len(s.args))
		s.args = append(s.args, p.Args...)
		st.args[1] = int32(len(s.args))
		s.steps = append(s.steps, st)
	}
}

// Profile is what the schedule costs.
func (s *schedule) profile() cost.Profile {
	var p cost.Profile
	f := s.dev.info.Figures
	for i := range s.plan.Steps {
		p.Launch(s.plan.Steps[i].Program, f)
	}
	p.Sync(lists.Sum(s.steps, func(s step) int { return len(s.waits) })+1, f) // the host waits once
	p.HostOutputBytes = lists.Sum(s.plan.Results, func(r plan.Result) int { return r.View.Len() * r.Type.Size() })
	return p
}
