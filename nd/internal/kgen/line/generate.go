package line

import (
	"errors"
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/order"
)

// Generate makes the kernels of a transform or a line program. It fails with
// device.ErrUnsupported for lines that do not fit on chip.
func Generate(p ir.Program, target kgen.Target) (*kgen.Module, error) {
	switch p := p.(type) {
	case *ir.FFT:
		if !p.Plain() {
			return nil, fmt.Errorf("kgen: lines: %s fft: %w", p.Mode, device.ErrUnsupported)
		}
		m, err := generate(alone(p), target)
		if errors.Is(err, device.ErrUnsupported) {
			return generateLong(p, target, 0)
		}
		return m, err
	case *ir.Butterfly:
		return generate(mixing(p), target)
	case *ir.Line:
		m, err := generate(p, target)
		if errors.Is(err, device.ErrUnsupported) && len(transformsOf(p)) == 2 {
			if long, err := generateTrip(p, target, 0); err == nil {
				return long, nil
			}
		}
		return m, err
	}
	return nil, fmt.Errorf("kgen: lines: %s is no line program: %w", p.Name(), device.ErrUnsupported)
}

// alone is a transform as a line program of one stage.
func alone(f *ir.FFT) *ir.Line {
	n := len(f.Outer)
	slot := func(kind ir.SlotKind, o ir.Operand, count int) ir.Slot {
		return ir.Slot{Kind: kind, Type: o.Type, Len: count, Offset: o.Offset, Strides: o.Strides[:n]}
	}
	g := *f
	g.Outer = nil
	g.In = ir.Operand{Type: f.In.Type, Strides: f.In.Strides[n:]}
	g.Out = ir.Operand{Type: f.Out.Type, Strides: f.Out.Strides[n:]}
	return &ir.Line{
		Outer: f.Outer, Segments: 1,
		Slots:  []ir.Slot{slot(ir.InSlot, f.In, min(f.InLen, f.InNeeded())), slot(ir.OutSlot, f.Out, f.OutLen())},
		Stages: []ir.Stage{{Program: &g, Reads: []int{0}, Writes: []int{1}}},
	}
}

// mixing is a butterfly as a line program of one stage.
func mixing(b *ir.Butterfly) *ir.Line {
	n := len(b.Outer)
	g := *b
	g.Outer = nil
	g.In = ir.Operand{Type: b.In.Type, Strides: b.In.Strides[n:]}
	g.Out = ir.Operand{Type: b.Out.Type, Strides: b.Out.Strides[n:]}
	_, hi := b.W.Span(b.WDims())
	slot := func(kind ir.SlotKind, o ir.Operand) ir.Slot {
		return ir.Slot{Kind: kind, Type: o.Type, Len: b.N, Offset: o.Offset, Strides: o.Strides[:n]}
	}
	return &ir.Line{
		Outer: b.Outer, Segments: 1,
		Slots:  []ir.Slot{slot(ir.InSlot, b.In), {Kind: ir.InSlot, Type: b.W.Type, Len: hi, Strides: make([]int, n)}, slot(ir.OutSlot, b.Out)},
		Stages: []ir.Stage{{Program: &g, Reads: []int{0, 1}, Writes: []int{2}}},
	}
}

func generate(p *ir.Line, target kgen.Target) (*kgen.Module, error) {
	if p.Lines() == 0 {
		return &kgen.Module{}, nil
	}
	if p.Lines() > math.MaxInt32 {
		return nil, fmt.Errorf("kgen: lines: %d lines: %w", p.Lines(), device.ErrUnsupported)
	}
	u := newUnit(target)
	k := u.kernel(p)
	reads, writes := 0, 0
	for i, s := range k.p.Slots {
		switch s.Kind {
		case ir.InSlot:
			k.bound[i] = kgen.Param{Kind: kgen.ReadPointer, Index: reads}
			reads++
		case ir.OutSlot:
			k.bound[i] = kgen.Param{Kind: kgen.WritePointer, Index: writes}
			writes++
		}
	}
	alone := u.kernel(p)
	alone.bound = k.bound
	if s := soloOf(alone); s != nil {
		s.function()
		return &u.Module, nil
	}
	if len(p.Sums()) == 0 {
		k.outer.gather(p)
	}
	if err := k.plan(); err != nil {
		return nil, err
	}
	if err := k.share(); err != nil {
		return nil, err
	}
	var err error
	body := k.body
	if k.hasNear() || k.hasMargins() {
		body = func() { err = k.ways() }
	}
	if len(p.Sums()) == 0 {
		k.function(body)
		return &u.Module, err
	}
	if err := k.findFrames(); err != nil {
		return nil, err
	}
	k.overlapped(body)
	return &u.Module, err
}

// share decides how many lines a group has, and lays out shared memory.
func (k *kernel) share() error {
	at := k.layOut()
	k.chooseLines(at)
	k.findColumns(at)
	k.pitch = recipe.Pitch(at, k.threads, k.lines, k.outer.columns)
	for k.lines > 1 && (k.pitch*k.lines > k.target.PoolBytes || k.lines*k.threads > k.target.GroupThreads()) {
		k.lines /= 2
		k.pitch = recipe.Pitch(at, k.threads, k.lines, k.outer.columns)
	}
	if k.pitch*k.lines > k.target.PoolBytes {
		return fmt.Errorf("kgen: lines: a line takes %d bytes on chip, a group has %d: %w", k.pitch, k.target.PoolBytes, device.ErrUnsupported)
	}
	k.outer.choose(k.lines)
	if k.outer.columns {
		k.outer.tile = k.columnDim
	}
	k.guard = newGuard(k.barrier)
	return nil
}

// barrier lets the threads of a line wait for each other.
func (k *kernel) barrier() {
	if k.target.Subgroup == 32 && 32%k.threads == 0 && !k.outer.columns {
		k.WarpBarrier()
		return
	}
	k.BarrierOf(k.inPlace())
}

// layOut gives slots in shared memory their places, and says how many bytes a
// line takes. Exchanges are at the start. Slots that are used behind the
// segments alone begin where exchanges of that part end.
func (k *kernel) layOut() int {
	var swaps [3]int // of each phase
	all := phases(k.p)
	for ph, r := range all {
		for i := r[0]; i < r[1]; i++ {
			swaps[ph] = max(swaps[ph], (k.swapBytes(i)+15)/16*16)
		}
	}
	k.exchange = max(swaps[0], swaps[1], swaps[2])
	place := func(from int, late bool) int {
		for slot := range k.p.Slots {
			if _, ok := k.homes[slot]; !ok || k.usedFrom(slot) >= all[2][0] != late {
				continue
			}
			k.homes[slot] = home{fmt.Sprintf("chip%d", slot), from}
			from += (k.chipLen(slot)*k.p.Slots[slot].Type.Size() + 15) / 16 * 16
		}
		return from
	}
	return place(max(k.exchange, place(swaps[2], true)), false)
}

// usedFrom is the first stage that uses a slot.
func (k *kernel) usedFrom(slot int) int {
	if a := k.held[slot]; a != nil {
		return phases(k.p)[2][0] // in registers until then
	}
	first := len(k.p.Stages)
	for _, w := range k.slots[slot].writers {
		first = min(first, w)
	}
	return first
}

// swapBytes is the room a stage needs to exchange values between threads.
func (k *kernel) swapBytes(i int) int {
	switch p := k.p.Stages[i].Program.(type) {
	case *ir.FFT:
		return k.ffts[i].exchange
	case *ir.Reduce:
		if n := p.Dims[0]; !k.shuffles(k.sumThreads(n)) {
			return max(20*k.threads, order.Lanes(n)*summed(p.Instrs[p.Value].Type).Size())
		}
		return 20 * k.threads
	case *ir.Scan:
		return 20 * k.threads
	case *ir.Sort:
		if k.holds(p) {
			return 20 * k.threads
		}
		return 20*k.threads + 4*p.Dims[0]
	case *ir.Butterfly:
		return p.N * p.In.Type.Size()
	}
	return 0
}

// chooseLines decides how many lines a group has: blocks of the usual size,
// or of the measured one for chains of transforms, smaller ones where there are
// too few lines to keep all multiprocessors busy, but whole warps.
func (k *kernel) chooseLines(bytes int) {
	lines := ir.Count(k.outer.dims)
	k.lines = recipe.UsualLines(k.threads, bytes, lines)
	for k.mixes() && k.lines < mixLines && 4*k.lines*bytes <= k.target.PoolBytes {
		k.lines *= 2
	}
	if k.convolves() {
		k.lines = recipe.FillWarps(k.lines, k.threads, bytes)
	}
	for i := range k.p.Stages {
		if c := k.chains[i]; c == nil || c.next < 0 {
			continue
		}
		s := k.ffts[i].split
		if s.Lines > 0 {
			k.lines = s.Lines
		}
		if s.Resident > 0 {
			k.resident = max(s.Resident/(k.lines*k.threads), 1)
		}
	}
	for k.lines > 1 && lines/k.lines < 4*k.target.Processors {
		k.lines /= 2
	}
	for k.lines*k.threads < 32 {
		k.lines *= 2
	}
	if k.resident == 0 && k.mixes() {
		k.resident = max(mixResident/(k.lines*k.threads), 1)
	}
	if k.resident == 0 && k.hasNear() {
		threads := unbranched
		if len(k.ffts) > 1 {
			threads = compared
		}
		k.resident = max(threads/(k.lines*k.threads), 1)
	}
}

// unbranched is how many threads a multiprocessor has that compute maps without
// branches: 128 registers each. Compared is that where spectra meet in such maps:
// 168 registers. On an H200 three programs of the first kind took 121 us, 144 with
// as many registers as they would have and 152 with 640 threads; three of the
// second took 163 us, and 192 with 512 threads.
const unbranched, compared = 512, 384

// convolves reports transforms that are convolutions.
func (k *kernel) convolves() bool {
	for _, x := range k.ffts {
		if !x.direct() {
			return true
		}
	}
	return false
}

// findColumns lets threads walk across lines where the elements of a line are
// not neighbours in memory but those of neighbouring lines are.
func (k *kernel) findColumns(bytes int) {
	first, ok := k.p.Stages[0].Program.(*ir.FFT)
	if !ok || k.p.Slots[k.p.Stages[0].Reads[0]].Kind != ir.InSlot || len(k.p.Sums()) > 0 {
		return
	}
	d := k.outer.columnsOf(k.p.Stages[0].Reads[0], along(first.In))
	if d < 0 {
		return
	}
	lines := 4
	for lines < 16 && 2*lines*k.threads <= k.target.GroupThreads() && 2*lines*bytes <= k.target.PoolBytes/2 {
		lines *= 2
	}
	if lines*k.threads > k.target.GroupThreads() || lines*bytes > k.target.PoolBytes {
		return
	}
	k.outer.columns, k.columnDim = true, d
	k.lines = max(lines, k.lines)
}

// function makes the kernel's function and its launch.
func (k *kernel) function(body func()) {
	k.open(k.lines*k.threads, k.resident, k.pitch*k.lines)
	k.begin()
	body()
	k.close(k.groups())
}
