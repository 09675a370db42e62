package plain

import (
	"fmt"
	"math/bits"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

const (
	sortThreads = 512

	// sortTile is how many items a block sorts in shared memory.
	sortTile = 2048

	mergeThreads = 256
	// mergeItems is how many items a thread merges one after the other.
	mergeItems = 4
	mergeTile  = mergeThreads * mergeItems
)

// sorter sorts lines of items. Tiles are sorted in shared memory by a bitonic
// network; a line longer than a tile is then merged run by run, of which only
// what can be among the first keep is kept. How items are made of what is
// read, and what becomes of them in the end, is the caller's.
type sorter struct {
	item  int // bytes
	lines int
	n     int // items of a line
	keep  int

	// bindLoad and bindStore declare, at the start of a kernel, what load and
	// store use. load is the item of element at of line l; store is a
	// statement that stores item x as element at of line l.
	bindLoad, bindStore func(e *entry)
	load                func(l, at string) string
	store               func(x, l, at string) string

	entries []*entry
	steps   []emit.Step
	scratch []int
}

// run adds the kernels and the steps. Scratch memory starts at number first.
func (s *sorter) run(first int) {
	tile := 2
	for tile < s.n && tile < sortTile {
		tile *= 2
	}
	tiles := ceil(s.n, tile)
	perBlock := sortTile / tile
	span, from := tile, first
	whole := tiles == 1
	e := &entry{name: "sort", threads: sortThreads, wide: true, apart: true, loose: true}
	s.writeTiles(e, tile, whole, first)
	s.entries = append(s.entries, e)
	s.steps = append(s.steps, e.step(ceil(s.lines*tiles, perBlock)))
	if whole {
		return
	}
	s.scratch = []int{s.lines * s.width(span) * s.item, s.lines * s.width(2*span) * s.item}
	for ; span < s.n; span *= 2 {
		final := 2*span >= s.n
		name := "merge"
		if final {
			name = "finish"
		}
		m := &entry{name: name, threads: mergeThreads, wide: true, apart: true, loose: true}
		blocks := s.writeMerge(m, span, final, from, 2*first+1-from)
		if len(s.entries) == 1 || final {
			s.entries = append(s.entries, m)
		}
		s.steps = append(s.steps, m.step(s.lines*blocks))
		from = 2*first + 1 - from
	}
}

// width is how many items a line keeps when its runs cover span elements.
func (s *sorter) width(span int) int { return min(ceil(s.n, span)*min(s.keep, span), s.n) }

// writeTiles sorts tiles: each of a part of a line, or of several lines.
func (s *sorter) writeTiles(e *entry, tile int, whole bool, scratch int) {
	e.number("lines", s.lines)
	e.number("size", s.n)
	e.number("keep", s.keep)
	e.number("tile", tile)
	e.number("shift", bits.TrailingZeros(uint(tile)))
	tiles := e.number("tiles", ceil(s.n, tile))
	s.bindLoad(e)
	if whole {
		s.bindStore(e)
	}
	// A block has whole lines, or a part of one.
	e.f("__shared__ item x[%d];\nconst u32 mask = (u32)tile - 1;\n", sortTile)
	e.f("const i64 line = tiles == 1 ? (i64)blockIdx.x * (%d >> shift) : blockIdx.x / (u32)%s;\n", sortTile, tiles)
	e.f("const i64 number = tiles == 1 ? 0 : blockIdx.x - line * tiles, part = number << shift;\n")
	e.f("#pragma unroll\nfor (int k = 0; k < %d; k += %d) {\nconst u32 p = k + threadIdx.x;\n", sortTile, sortThreads)
	e.f("const i64 l = line + (p >> shift), at = part + (p & mask);\n")
	e.f("x[p] = l < lines && at < size ? %s : last_item();\n}\n__syncthreads();\n", s.load("l", "at"))
	if run := s.topRun(); run > 0 && 4*run <= tile {
		writeTop(e, run)
	} else {
		writeNetwork(e)
	}
	e.f("#pragma unroll\nfor (int k = 0; k < %d; k += %d) {\nconst u32 p = k + threadIdx.x;\n", sortTile, sortThreads)
	e.f("const i64 l = line + (p >> shift), at = p & mask;\n")
	if whole {
		e.f("if (l < lines && at < keep) { %s; }\n}\n", s.store("x[p]", "l", "at"))
		return
	}
	e.param("item* runs", emit.Scratch(scratch))
	e.number("width", s.width(tile))
	e.f("const i64 kept = min(keep, tile);\nif (l < lines && at < min(kept, size - part)) runs[l * width + number * kept + at] = x[p];\n}\n")
}

// writeNetwork sorts tiles of x by a bitonic network.
func writeNetwork(e *entry) {
	e.f(`for (u32 run = 2; run <= (u32)tile; run *= 2)
for (u32 by = run / 2; by > 0; by /= 2) {
#pragma unroll
for (int k = 0; k < %d; k += %d) {
const u32 c = k + threadIdx.x, i = 2 * c - (c & (by - 1)), j = i + by;
const item a = x[i], b = x[j];
if (before(b, a) == ((i & mask & run) == 0)) { x[i] = b; x[j] = a; }
}
__syncthreads();
}
`, sortTile/2, sortThreads)
}

// topRun is the length of runs that have room for what is kept, a power of
// two, or 0 if that is too long to gain by it.
func (s *sorter) topRun() int {
	if s.keep > 32 {
		return 0
	}
	run := 2
	for run < s.keep {
		run *= 2
	}
	return run
}

// writeTop puts the first run items of each tile in order, at its start. It
// sorts runs, up and down in turn, and halves their number again and again: of
// two such runs the lesser of each pair of items are a bitonic run again.
// A warp does this by itself while its runs are in its own part of x.
func writeTop(e *entry, run int) {
	e.number("run", run)
	e.f(`const int r = (int)run, warp = threadIdx.x / 32, lane = threadIdx.x %% 32;
auto each = [&](int total, bool alone, auto f) {
if (alone) { const int per = total / %d; for (int c = lane; c < per; c += 32) f(warp * per + c); __syncwarp(); }
else { for (int c = threadIdx.x; c < total; c += %d) f(c); __syncthreads(); }
};
auto exchange = [&](int i, int j, bool up) {
const item a = x[i], b = x[j];
if (before(b, a) == up) { x[i] = b; x[j] = a; }
};
for (int length = 2; length <= r; length *= 2)
for (int by = length / 2; by > 0; by /= 2)
each(%d, true, [&](int c) { const int i = 2 * c - (c & (by - 1)); exchange(i, i + by, (i & length) == 0); });
for (int apart = r; apart < tile; apart *= 2) {
const bool alone = 2 * apart <= %d, last = 2 * apart == tile;
const int alive = %d / (2 * apart);
if (apart == %d) __syncthreads();
each(alive * r, alone, [&](int c) {
const int i = c / r * 2 * apart + c %% r;
const item a = x[i], b = x[i + apart];
if (before(b, a)) x[i] = b;
});
for (int by = r / 2; by > 0; by /= 2)
each(alive * r / 2, alone, [&](int c) {
const int pair = c / (r / 2), at = c %% (r / 2), i = pair * 2 * apart + 2 * at - (at & (by - 1));
exchange(i, i + by, last || (pair & 1) == 0);
});
}
__syncthreads();
`, sortThreads/32, sortThreads, sortTile/2, sortTile/(sortThreads/32), sortTile, sortTile/(sortThreads/32))
}

// writeMerge merges pairs of runs that cover span elements each. A block
// makes mergeTile items of one pair: it finds where they begin and end in both
// runs, and so does each thread for its own. It returns the blocks of a line.
func (s *sorter) writeMerge(e *entry, span int, final bool, from, to int) (blocks int) {
	perPair := ceil(min(s.keep, 2*span), mergeTile)
	blocks = ceil(s.n, 2*span) * perPair
	e.param("const item* __restrict__ runs", emit.Scratch(from))
	e.number("size", s.n)
	e.number("keep", s.keep)
	e.number("span", span)
	e.number("width", s.width(span))
	e.number("per_pair", perPair)
	e.number("per_line", blocks)
	if final {
		s.bindStore(e)
	}
	e.f(`__shared__ item x[%d];
const i64 l = blockIdx.x / (u32)per_line, job = blockIdx.x - l * per_line, pair = (u32)job / (u32)per_pair;
const i64 kept = min(keep, span), first = (job - pair * per_pair) * %d;
const int left = (int)min(kept, max(size - 2 * pair * span, 0ll)), right = (int)min(kept, max(size - (2 * pair + 1) * span, 0ll));
const int total = (int)min(keep, (i64)left + right), count = (int)min((i64)%d, total - first);
if (count <= 0) return;
const item* a = runs + l * width + 2 * pair * kept;
const item* b = a + kept;
// The first of both runs that are among the first n: how many are of a.
__shared__ int cut[2];
if (threadIdx.x < 2) {
const int n = (int)first + (threadIdx.x == 0 ? 0 : count);
int lo = max(0, n - right), hi = min(n, left);
while (lo < hi) { const int mid = (lo + hi) / 2; if (before(a[mid], b[n - 1 - mid])) lo = mid + 1; else hi = mid; }
cut[threadIdx.x] = lo;
}
__syncthreads();
const int a0 = cut[0], an = cut[1] - a0, b0 = (int)first - a0, bn = count - an;
for (int k = threadIdx.x; k < count; k += %d) x[k] = k < an ? a[a0 + k] : b[b0 + k - an];
__syncthreads();
const int n = threadIdx.x * %d;
if (n >= count) return;
int lo = max(0, n - bn), hi = min(n, an);
while (lo < hi) { const int mid = (lo + hi) / 2; if (before(x[mid], x[an + n - 1 - mid])) lo = mid + 1; else hi = mid; }
int i = lo, j = n - lo;
#pragma unroll
for (int k = 0; k < %d; k++) {
if (n + k >= count) break;
const item y = j >= bn || (i < an && before(x[i], x[an + j])) ? x[i++] : x[an + j++];
const i64 at = first + n + k;
`, mergeTile, mergeTile, mergeTile, mergeThreads, mergeItems, mergeItems)
	if final {
		e.f("%s;\n}\n", s.store("y", "l", "at"))
	} else {
		e.param("item* merged", emit.Scratch(to))
		e.number("merged_width", s.width(2*span))
		e.f("merged[l * merged_width + pair * min(keep, 2 * span) + at] = y;\n}\n")
	}
	return blocks
}

func generateSort(p *ir.Sort) (*emit.Module, error) {
	last := len(p.Dims) - 1
	n := p.Dims[last]
	if ir.Count(p.Dims) == 0 || p.Keep == 0 {
		return &emit.Module{}, nil
	}
	if n >= 1<<31 {
		return nil, fmt.Errorf("cuda: sort: lines of %d: %w", n, device.ErrUnsupported)
	}
	without := func(o ir.Operand) ir.Operand {
		o.Strides = o.Strides[:last]
		return o
	}
	lines := newSpace(p.Dims[:last], without(p.In), without(p.Out))
	lines.join()
	var u emit.Uses
	u.Part("quotient")
	s := &sorter{item: itemBytes(p.In.Type), lines: ir.Count(lines.dims), n: n, keep: p.Keep}
	bindIn := func(e *entry) {
		e.pointer("in", lines.ops[0], emit.Read(0))
		e.number("in_step", p.In.Strides[last])
		e.starts("in_at", lines.dims, lines.ops[0].Strides)
	}
	s.bindLoad = bindIn
	s.load = func(l, at string) string {
		return fmt.Sprintf("make_item(key(%s), (u32)%s)", u.Get(p.In.Type, fmt.Sprintf("in[in_at(%s) + %s * in_step]", l, at)), at)
	}
	s.bindStore = func(e *entry) {
		e.pointer("out", lines.ops[1], emit.Write(0))
		e.number("out_step", p.Out.Strides[last])
		e.starts("out_at", lines.dims, lines.ops[1].Strides)
		if !p.Arg && e.name != "sort" {
			bindIn(e)
		}
	}
	s.store = func(x, l, at string) string {
		value := fmt.Sprintf("(i64)place_of(%s)", x)
		if !p.Arg {
			value = fmt.Sprintf("in[in_at(%s) + (i64)place_of(%s) * in_step]", l, x)
		}
		return fmt.Sprintf("out[out_at(%s) + %s * out_step] = %s", l, at, value)
	}
	s.run(0)
	mod, err := module(&u, declareItems(p.In.Type, p.Descending), s.entries...)
	if err != nil {
		return nil, err
	}
	mod.Steps, mod.Scratch = s.steps, s.scratch
	return mod, nil
}
