package lines

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// Generate writes the kernels of a transform or a line program. It fails with
// device.ErrUnsupported for lines that do not fit on chip.
func Generate(p ir.Program, card emit.Card) (*emit.Module, error) {
	switch p := p.(type) {
	case *ir.FFT:
		if !p.Plain() {
			return nil, fmt.Errorf("cuda: lines: %s fft: %w", p.Mode, device.ErrUnsupported)
		}
		m, err := generate(alone(p), card)
		if errors.Is(err, device.ErrUnsupported) {
			return generateLong(p, card, 0)
		}
		return m, err
	case *ir.Butterfly:
		return generate(mixing(p), card)
	case *ir.Line:
		return generate(p, card)
	}
	return nil, fmt.Errorf("cuda: lines: %s is no line program: %w", p.Name(), device.ErrUnsupported)
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

func generate(p *ir.Line, card emit.Card) (*emit.Module, error) {
	if p.Lines() == 0 {
		return &emit.Module{}, nil
	}
	if p.Lines() > math.MaxInt32 {
		return nil, fmt.Errorf("cuda: lines: %d lines: %w", p.Lines(), device.ErrUnsupported)
	}
	u := newUnit(card)
	k := u.kernel(p)
	reads, writes := 0, 0
	for i, s := range k.p.Slots {
		switch s.Kind {
		case ir.InSlot:
			k.bound[i] = emit.Read(reads)
			reads++
		case ir.OutSlot:
			k.bound[i] = emit.Write(writes)
			writes++
		}
	}
	if s := soloOf(k); s != nil {
		generateSolo(s)
		return u.finish(), nil
	}
	if err := k.plan(); err != nil {
		return nil, err
	}
	if err := k.share(); err != nil {
		return nil, err
	}
	var err error
	body := k.body
	if k.hasNear() || k.inside() != "" {
		body = func(ps *params) { err = k.ways(ps) }
	}
	if len(p.Sums()) == 0 {
		k.function(body)
		return u.finish(), err
	}
	if err := k.findFrames(); err != nil {
		return nil, err
	}
	k.overlapped(body)
	return u.finish(), err
}

// unit is a module being written: kernels that share tables and prelude.
type unit struct {
	emit.Module
	card      emit.Card
	uses      emit.Uses
	tables    map[string]string // by key: name
	functions []string
}

func newUnit(card emit.Card) *unit { return &unit{card: card, tables: map[string]string{}} }

// finish puts the text together.
func (u *unit) finish() *emit.Module {
	u.Text = u.uses.Unit(strings.Join(u.functions, ""))
	return &u.Module
}

func (u *unit) kernel(p *ir.Line) *kernel {
	return &kernel{
		unit: u, text: &text{depth: 1}, p: p, outer: outerOf(p), bound: map[int]emit.Param{},
		ffts: map[int]*transform{}, attached: map[int]bool{}, virtual: map[int]int{}, homes: map[int]home{}, staged: map[int]int{},
		held: map[int]*accumulator{}, served: map[use]bool{}, chains: map[int]*chain{}, taken: map[int]bool{},
		args: map[int]bool{}, scalars: map[int]string{},
	}
}

// share decides how many lines a block has, and lays out shared memory.
func (k *kernel) share() error {
	at := k.layOut()
	k.chooseLines(at)
	k.findColumns(at)
	k.pitch = recipe.Pitch(at, k.threads, k.lines, k.outer.columns)
	if k.pitch*k.lines > k.card.SharedBytes {
		return fmt.Errorf("cuda: lines: a line takes %d bytes on chip, a block has %d: %w", k.pitch, k.card.SharedBytes, device.ErrUnsupported)
	}
	k.outer.choose(k.lines)
	if k.outer.columns {
		k.outer.tile = k.columnDim
	}
	k.guard = newGuard(k.barrier())
	return nil
}

// barrier is the statement that lets the threads of a line wait for each other.
func (k *kernel) barrier() string {
	if 32%k.threads == 0 && !k.outer.columns {
		return "__syncwarp();"
	}
	return "__syncthreads();"
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
			return max(20*k.threads, emit.Lanes(n)*summed(p.Instrs[p.Value].Type).Size())
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

// chooseLines decides how many lines a block has: blocks of the usual size,
// or of the measured one for chains of transforms, smaller ones where there are
// too few lines to keep all multiprocessors busy, but whole warps.
func (k *kernel) chooseLines(bytes int) {
	lines := ir.Count(k.outer.dims)
	k.lines = recipe.UsualLines(k.threads, bytes, lines)
	for k.mixes() && k.lines < mixLines && 4*k.lines*bytes <= k.card.SharedBytes {
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
	for k.lines > 1 && lines/k.lines < 4*k.card.Processors {
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
	for lines < 16 && 2*lines*k.threads <= recipe.MaxThreads && 2*lines*bytes <= k.card.SharedBytes/2 {
		lines *= 2
	}
	if lines*k.threads > recipe.MaxThreads || lines*bytes > k.card.SharedBytes {
		return
	}
	k.outer.columns, k.columnDim = true, d
	k.lines = max(lines, k.lines)
}

// function writes the kernel's function and its launch.
func (k *kernel) function(body func(*params)) {
	k.entry(func(ps *params) {
		k.begin(ps)
		body(ps)
	}, k.lines*k.threads, k.resident, k.blocks(), k.pitch*k.lines)
}

// entry is a function with blocks of so many threads, of which a multiprocessor
// has some at once, or as many as it comes to.
func (k *kernel) entry(body func(*params), threads, resident, blocks, shared int) {
	var ps params
	for i, s := range k.p.Slots {
		switch s.Kind {
		case ir.InSlot:
			ps.add(fmt.Sprintf("const %s* __restrict__ p%d", emit.Memory(s.Type), i), k.bound[i])
		case ir.OutSlot:
			ps.add(fmt.Sprintf("%s* __restrict__ p%d", emit.Memory(s.Type), i), k.bound[i])
		}
	}
	body(&ps)
	for i := range k.Tables {
		ps.add(fmt.Sprintf("const void* __restrict__ table%d", i), emit.TableOf(i))
	}
	for _, a := range slices.Sorted(maps.Keys(k.args)) {
		ps.add("const arg "+emit.ArgName(a), emit.Arg(a))
	}
	entry := fmt.Sprintf("lines%d", len(k.Steps))
	bounds := fmt.Sprint(threads)
	if resident > 0 {
		bounds += fmt.Sprintf(", %d", resident)
	}
	k.functions = append(k.functions, fmt.Sprintf("extern \"C\" __global__ void __launch_bounds__(%s) %s(%s) {\n%s}\n",
		bounds, entry, strings.Join(ps.declared, ", "), k.String()))
	k.Steps = append(k.Steps, emit.Step{Entry: entry, Grid: [3]int{blocks, 1, 1}, Block: [3]int{threads, 1, 1}, Shared: shared, Params: ps.list})
}
