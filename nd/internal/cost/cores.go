package cost

import (
	"math"
	"math/bits"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// What the cores of a CPU take besides bytes and operations: workers that have to be woken and have unequal shares, and lines that are brought
// into a cache before they are computed.

// cachedBytes is how much a program may move that comes from caches and stays in them: a
// map writes outputs from half of that on past them.
const cachedBytes = 16 << 20

// ownBytes is how much the caches of one core keep, of 1 to 2 MiB.
const ownBytes = 1 << 20

// onCores predicts how long a program runs on workers, or on one of them if the others
// would come too late.
func onCores(p ir.Program, f device.Figures) float64 {
	bytes, ops, workers := float64(Traffic(p)), compute(p, f, true), float64(max(f.Workers, 1))
	walk := walking(p, f)
	shared := f.CopyBytesPerNs
	if bytes < cachedBytes && f.CacheBytesPerNs > 0 {
		shared = f.CacheBytesPerNs
	}
	core := f.CoreBytesPerNs
	if core == 0 || bytes > ownBytes { // which other cores have, if not the memory
		core = shared / workers
	}
	by := func(n float64) float64 {
		moving, computing, walking := max(per(bytes, shared), per(bytes, core*n)), ops*workers/n, walk*workers/n
		if isLines(p) {
			return moving + computing + per(betweenPasses(p)*workers, f.CopyBytesPerNs*n)
		}
		return max(moving, computing) + walking
	}
	pieces := float64(max(pieces(p, f), 1))
	if pieces == 1 || workers == 1 {
		return f.LaunchNs + by(1)
	}
	rounds := math.Ceil(pieces / workers)
	return f.LaunchNs + min(crowded*by(1), joined(by(pieces/rounds), f.SpreadNs*phases(p, f))+waking*f.SpreadNs)
}

// pieces is what workers share. A line is one's, however long, unless it is the only one
// and nothing but transformed. Rows of results side by side are cut at a power of two, as the
// device cuts them.
func pieces(p ir.Program, f device.Figures) int {
	const points, block = 256 << 10, 1024 // of a piece of rows, and the most side by side
	grain := f.Grain
	switch p := p.(type) {
	case *ir.Line:
		return p.Lines()
	case *ir.Gemm:
		if p.OneEach(f.Workers) {
			return ir.Count(p.Batch)
		}
	case *ir.FFT:
		if lines := ir.Count(p.Outer); lines > 1 {
			return min(lines, p.Pieces(grain))
		}
	case *ir.Custom:
		if oneGroup(p) {
			return p.Grid[2]
		}
	case *ir.Reduce:
		if width := min(sideBySide(p), block); width > 0 {
			rows, results := ir.Count(p.Dims[len(p.Outer()):]), ir.Count(p.Outer())
			each := max(32, 1<<(bits.Len(uint(points/width))-1))
			cut := func() int { return (results + width - 1) / width * ((rows + each - 1) / each) }
			for cut() < 2*f.Workers && each > 32 && width*each >= grain {
				each /= 2
			}
			return min(cut(), (2*results*rows+grain-1)/max(grain, 1))
		}
	}
	return p.Pieces(grain)
}

// Whoever has work first wakes the others, which takes a share of the time until all are at
// work, and they are in its way where it does most by itself (bench choose, eight cores).
const waking, crowded = 0.4, 1.6

// joined is how long workers take that would take ns if all of them began at once, but of
// whom the last begins after spread. They begin one after the other and take pieces as
// they come: of short work a few do all, which takes sqrt(2 spread ns), and long work
// takes at most spread longer.
func joined(ns, spread float64) float64 { return math.Sqrt(ns*ns + 2*spread*ns) }

// phases is how often the workers of a program are woken: a product that they share packs
// and then multiplies each block of its depth, and those of a small batch of large ones take
// turns.
func phases(p ir.Program, f device.Figures) float64 {
	const depth = 256
	g, ok := p.(*ir.Gemm)
	if !ok || !g.Plain() {
		return 1
	}
	if g.OneEach(f.Workers) {
		return 1
	}
	return float64(2 * ir.Count(g.Batch) * ((g.K + depth - 1) / depth))
}

// isLines reports programs whose lines wait in a cache until they are complete, or whose
// operands are copied to one: a core does not compute with the first of them while the
// rest arrive.
func isLines(p ir.Program) bool {
	if plain, ok := p.(interface{ Plain() bool }); ok {
		return plain.Plain()
	}
	_, ok := p.(*ir.Line)
	return ok
}

// betweenPasses is how many bytes of lines go to memory and come back, because they outgrow
// the cache of a core between the two halves of a transform: one of
// 2^20 real samples takes 2.9 ms, twice as long as its operations.
func betweenPasses(p ir.Program) float64 {
	of := func(f *ir.FFT, lines int) float64 {
		n := f.N * f.Out.Type.Size()
		if f.Kind != ir.FFTComplex {
			n = f.N / 2 * max(f.In.Type.Size(), f.Out.Type.Size())
		}
		if n <= ownBytes || !f.Plain() {
			return 0
		}
		return 4 * float64(n) * float64(lines)
	}
	switch p := p.(type) {
	case *ir.FFT:
		return of(p, ir.Count(p.Outer))
	case *ir.Line:
		bytes := 0.0
		for _, s := range p.Stages {
			if f, ok := s.Program.(*ir.FFT); ok {
				bytes += of(f, p.Lines()*max(p.Segments, 1))
			}
		}
		return bytes
	}
	return 0
}

// packNs is what a row takes that a product copies: 9 to 12 ns.
const packNs = 10

// itemNs is what a core takes for each row of each column of a matrix that it factors:
// factors of 32 and of 64 columns take 26 and 103 us in their best runs, on cores of two
// speeds, and a fifth more among other launches.
const itemNs = 30

// throughItems is the time in which the groups of a custom kernel that have an item of a
// batch to themselves work through all of it: threads of a GPU one element after the
// other, cores row by row of what is left in each column.
func throughItems(p *ir.Custom, f device.Figures) float64 {
	if p.Work > 0 {
		return 0
	}
	item := lists.Max(0, p.InShapes, ir.Count)
	if f.Grain > 0 {
		return itemNs * float64(item) / float64(max(f.Workers, 1))
	}
	return per(2*p.Ops()*float64(item)/float64(max(p.Grid[2], 1)), f.OpsPerNs)
}

// packing is the time in which workers copy the rows of both operands of a product to
// where its tiles read them, those of the second a panel of columns at a time. Rows of a
// transposed first operand lie across, and are cut from its columns a tile's height at a time.
func packing(p *ir.Gemm, f device.Figures, fine bool) float64 {
	if f.Grain == 0 || !fine {
		return 0
	}
	rows := p.M
	if s := p.A.Strides; p.AxesA.Plain() && s[len(s)-2] == 1 && s[len(s)-1] != 1 {
		rows = p.K * ((p.M + cut - 1) / cut)
	}
	return packNs * float64(ir.Count(p.Batch)*(rows+p.K*((p.N+panel-1)/panel))) / float64(max(f.Workers, 1))
}

// panel is how many columns of a product a core keeps side by side, and cut how many rows.
const panel, cut = 32, 14

// coreProducts is how many operations cores do for a product: half a panel at least for
// the last columns, and more than two for one of float64.
func coreProducts(p *ir.Gemm) float64 {
	const half = panel / 2
	ops := p.Ops() * float64((p.N+half-1)/half*half) / float64(max(p.N, 1))
	if t := p.Out.Type; t == elem.Float64 || t == elem.Complex128 {
		ops *= 2.2
	}
	return ops
}

// throughCaches is the time in which workers bring a line from a cache and put it back,
// which the speed of transforms includes; what is on the chip of a GPU takes none.
func throughCaches(p ir.Program, f device.Figures) float64 {
	if f.Grain == 0 {
		return 0
	}
	bytes := Traffic(p)
	if o, ok := p.(*ir.Overlap); ok { // of one frame, added to a part of what all share
		bytes = 3 * o.Size * o.In.Type.Size()
	}
	return per(float64(bytes), f.CoreBytesPerNs*float64(max(f.Workers, 1)))
}
