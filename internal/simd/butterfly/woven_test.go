package butterfly

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// Kernels on woven planes leave the bits that they leave on planes that are apart, and leads that
// spread rows those of leads that do not.
func TestWoven(t *testing.T) {
	for _, level := range simd.Available()[1:] {
		checkWoven[float32](t, level)
		checkWoven[float64](t, level)
	}
}

func checkWoven[R Float](t *testing.T, level simd.Level) {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 4))
	n, found := Lanes(level, 8*sizeof[R]()), 0
	for radix := n; radix <= 4*n; radix *= 2 {
		for _, product := range []bool{false, true} {
			kind := LeadKind{Radix: radix, Load: Interleaved, Product: product, Spread: true}
			spread, _ := Lead[R](level, kind)
			if spread == nil {
				continue
			}
			found++
			byColumn := ByColumn[R](level, kind)
			kind.Spread = false
			plain, lanes := Lead[R](level, kind)
			checkSpread[R](t, rng, level, radix, lanes, byColumn, spread, plain)
		}
	}
	if found == 0 {
		return // a level without such leads has no passes behind them
	}
	for radix := 2; radix <= MaxRadix; radix++ {
		if !Own[R](level, radix) {
			continue
		}
		rows, cols := 1+rng.IntN(4), n*(1+rng.IntN(3))
		p := Pass{Rows: rows, Cols: cols, InRow: cols * radix, InLeg: cols, OutRow: cols * radix, OutLeg: cols}
		for i, table := range []unsafe.Pointer{nil, randomTable[R](rng, rows*2*(radix-1))} {
			p.Twiddle = table
			kernel := vector(level, 8*sizeof[R](), radix, Split, Split)
			apart := random[R](rng, 2*rows*cols*radix)
			woven, want := weave(apart, n), make([]R, len(apart))
			run(kernel, p, want, apart, len(want)/2, len(apart)/2)
			q := p
			q.InRow, q.InLeg, q.OutRow, q.OutLeg, q.Woven = 2*q.InRow, 2*q.InLeg, 2*q.OutRow, 2*q.OutLeg, n
			run(kernel, q, woven, woven, n, n)
			same(t, "pass", level, radix, woven, weave(want, n))
			if i > 0 {
				continue
			}
			mixed := vectorMixed(level, 8*sizeof[R](), radix)
			if mixed == nil {
				mixed = vector(level, 8*sizeof[R](), radix, Split, Interleaved)
			}
			woven = weave(apart, n)
			run(mixed, p, want, apart, 1, len(apart)/2)
			q.OutRow, q.OutLeg = p.OutRow, p.OutLeg
			run(mixed, q, woven, woven, 1, n)
			same(t, "mixed pass", level, radix, woven, want)
		}
	}
}

// checkSpread compares leads over rows in random places.
func checkSpread[R Float](t *testing.T, rng *rand.Rand, level simd.Level, radix int, lanes []int, byColumn bool, spread, plain Kernel) {
	t.Helper()
	tiles, n := 1+rng.IntN(4), len(lanes)
	cols := tiles * n
	p := Pass{Cols: cols, InLeg: cols + rng.IntN(3), Twiddle: randomTable[R](rng, tiles*2*(radix-1)*n), Factors: randomTable[R](rng, tiles*2*(radix-1))}
	src := random[R](rng, 2*radix*p.InLeg)
	want, got := make([]R, 2*cols*radix), make([]R, 2*cols*radix)
	run(plain, p, want, src, cols*radix, 1)
	q := p
	if byColumn {
		table := make([]R, 2*radix*cols)
		for i := range radix * cols {
			col, j, to := i/radix, i%radix/n*n+lanes[i%n], 2*(i-i%n)+i%n
			table[to] = 1
			if j > 0 {
				w := 2*(col/n*(radix-1)+j-1)*n + slices.Index(lanes, col%n)
				table[to], table[to+n] = *at[R](p.Twiddle, w), *at[R](p.Twiddle, w+n)
			}
		}
		q.Twiddle = unsafe.Pointer(&table[0])
	}
	q.OutLeg = 2 * tiles * radix
	places, rows := make([]uint32, tiles+1), make([]R, 0, len(want))
	for i, at := range rng.Perm(tiles) {
		places[i] = uint32(2 * at * radix * sizeof[R]())
	}
	q.Places = unsafe.Pointer(&places[0])
	run(spread, q, got, src, 1, 1)
	for i := range tiles {
		for lane := range n {
			at := int(places[i])/sizeof[R]() + lane*q.OutLeg
			rows = append(rows, got[at:at+2*radix]...)
		}
	}
	same(t, "lead", level, radix, rows, weave(want, n))
}

// run is a kernel from and to planes that begin as many components apart.
func run[R Float](kernel Kernel, p Pass, dst, src []R, apartTo, apartFrom int) {
	kernel(&p, unsafe.Pointer(&dst[0]), unsafe.Pointer(&dst[apartTo]), unsafe.Pointer(&src[0]), unsafe.Pointer(&src[apartFrom]), 1)
}

func random[R Float](rng *rand.Rand, n int) []R {
	x := make([]R, n)
	for i := range x {
		x[i] = R(rng.Float64() - .5)
	}
	return x
}

// weave is two planes in turns, n elements of each.
func weave[R Float](planes []R, n int) []R {
	var out []R
	for i, half := 0, len(planes)/2; i < half; i += n {
		out = append(append(out, planes[i:i+n]...), planes[half+i:half+i+n]...)
	}
	return out
}

func same[R Float](t *testing.T, what string, level simd.Level, radix int, got, want []R) {
	t.Helper()
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%v %T: %s of %d: component %d is %v, want %v", level, want, what, radix, i, got[i], want[i])
			return
		}
	}
}
