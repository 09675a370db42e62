package line

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/order"
)

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
	k.exchange = max(swaps[0], swaps[1], swaps[2], k.carriedBytes())
	place := func(from int, late bool) int {
		for slot := range k.p.EachSlot() {
			if _, ok := k.homes[slot]; !ok || k.usedFrom(slot) >= all[2][0] != late {
				continue
			}
			k.homes[slot] = home{fmt.Sprintf("chip%d", slot), from}
			from += k.homeBytes(slot)
		}
		return from
	}
	k.tail = place(max(k.exchange, place(swaps[2], true)), false)
	k.tail = k.shareRooms(k.exchange, k.tail)
	if k.pair != nil {
		return k.tail + k.pair.bytes(k.threads)
	}
	return k.tail + k.besideBytes()
}

// homeBytes is what a slot takes in shared memory.
func (k *kernel) homeBytes(slot ir.SlotID) int {
	return (k.chipLen(slot)*k.p.Slots[slot].Type.Size() + 15) / 16 * 16
}

// usedFrom is the first stage that uses a slot.
func (k *kernel) usedFrom(slot ir.SlotID) int {
	if a := k.held[slot]; a != nil {
		return phases(k.p)[2][0] // in registers until then
	}
	return slices.Min(append([]int{len(k.p.Stages)}, k.slots[slot].Writers...))
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
		if c := k.chains[i]; c == nil || c.next < 0 && k.ffts[i].direct() && len(k.p.Stages) > 1 || k.hasNear() {
			continue // what was measured is of maps that take few registers
		}
		s := k.ffts[i].split
		if s.Lines > 0 {
			k.lines = s.Lines
		}
		if s.Resident > 0 {
			k.resident = max(s.Resident/(k.lines*k.threads), 1)
		}
	}
	if k.pair != nil && k.ffts[transformsOf(k.p)[0]].packed() {
		k.resident = max(k.resident, pairedResident/(k.lines*k.threads))
	}
	if k.addsPowers() && len(k.ffts) > 1 {
		k.resident = max(besideAlone/(k.lines*k.threads), 1)
	}
	if len(k.beside) > 0 {
		k.resident = min(k.resident, max(min(besideResident/(k.lines*k.threads), fewLines/k.lines, k.target.PoolBytes/(k.lines*bytes)), 1))
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

// crowded reports a trip there and back whose blocks have so many registers that few of
// them are on a multiprocessor, as a recipe that looks ahead says. So twins share roots: half
// as many are loaded and held. On an H200 circular convolutions of 16x768x16384 take 585 us
// instead of 634, causal ones 1098 instead of 1130; shorter lines gain nothing or lose 1.5%.
func (k *kernel) crowded() bool {
	if k.pair != nil {
		return false
	}
	for i, c := range k.chains {
		if c.next >= 0 && k.ffts[i].split.Ahead > 0 {
			return true
		}
	}
	return false
}

// convolves reports transforms that are convolutions.
func (k *kernel) convolves() bool {
	for _, x := range k.ffts {
		if !x.direct() {
			return true
		}
	}
	return false
}

// wideColumns is how many threads a group has at most that walks across 16 lines.
const wideColumns = 512

// findColumns lets threads walk across lines where the elements of a line are
// not neighbours in memory but those of neighbouring lines are.
func (k *kernel) findColumns(bytes int) {
	first, ok := k.p.Stages[0].Program.(*ir.FFT)
	if !ok || k.p.Slots[k.p.Stages[0].Reads[0]].Kind != ir.InSlot || len(k.p.Sums()) > 0 {
		return
	}
	d := k.outer.columnsOf(k.p.Stages[0].Reads[0], first.In.Along())
	if d < 0 {
		return
	}
	lines := 4
	for lines < 16 && 2*lines*k.threads <= k.target.GroupThreads() && 2*lines*bytes <= k.target.PoolBytes/2 {
		if lines == 8 && 2*lines*k.threads > wideColumns {
			break // runs of 64 bytes are enough: 1.07 x a copy on an H200, and 1.32 with twice as many threads
		}
		lines *= 2
	}
	if lines*k.threads > k.target.GroupThreads() || lines*bytes > k.target.PoolBytes {
		return
	}
	k.outer.columns, k.columnDim = true, d
	k.lines = max(lines, k.lines)
}
