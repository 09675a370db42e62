package kgen_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/simulate"
	"github.com/twiddle-go/twiddle/nd/internal/reference"
)

// Many items of any bits are sorted digit by digit, those that are alike in their order.
func TestSortByDigits(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const lines, n = 2, 9000
	for _, typ := range elem.All {
		if !typ.IsOrdered() {
			continue
		}
		data := make([]byte, lines*n*typ.Size())
		for i := range data {
			data[i] = byte(rng.Uint32())
		}
		if typ == elem.Bool {
			for i := range data {
				data[i] &= 1
			}
		}
		for i := range lines * n { // NaN of the bits that the reference gives it
			reference.Store(reference.Load(typ, data, i), data, i)
		}
		for i := range lines * n / 4 { // a quarter alike, and zeros of both signs
			reference.Store(reference.Load(typ, data, i%5), data, 4*i)
		}
		if typ.IsFloat() {
			for i := range 50 {
				z := reference.Cast(typ, reference.Float(elem.Float64, []float64{0, -1 / 1e300 / 1e300}[i%2]))
				reference.Store(z, data, 3*i)
			}
		}
		for mode, keep := range []int{n, n, 2500, n} {
			name := fmt.Sprintf("%s/%d", typ, mode)
			t.Run(name, func(t *testing.T) {
				lines, data := lines, data
				if mode > 0 { // counts of a line are added up by 256 groups for each digit, which takes most of the time
					lines, data = 1, data[:len(data)/2]
				}
				in, kept := []int{lines, n}, []int{lines, keep}
				p := &ir.Sort{Dims: in, Keep: keep, Descending: mode%2 == 1, In: ir.Contiguous(typ, in)}
				if mode != 3 {
					p.Values = new(ir.Contiguous(typ, kept))
				}
				if mode != 0 {
					p.Places = new(ir.Contiguous(elem.Int64, kept))
				}
				sortsByDigits(t, p, few, data)
			})
		}
	}
}

// Lines of any number of tiles and shares are sorted: a share may have several tiles, and a line one
// share, which nothing adds up.
func TestSortByDigitsShares(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	one := few
	one.Processors = 1
	for _, typ := range []elem.Type{elem.Float32, elem.Int64} {
		for i, c := range []struct {
			target   kgen.Target
			lines, n int
		}{{few, 1, 2049}, {few, 1, 4095}, {few, 1, 4096}, {few, 3, 4097}, {one, 8, 9000}, {one, 4, 20001}} {
			t.Run(fmt.Sprintf("%s/%dx%d", typ, c.lines, c.n), func(t *testing.T) {
				dims := []int{c.lines, c.n}
				data := make([]byte, c.lines*c.n*typ.Size())
				for i := range c.lines * c.n {
					reference.Store(reference.Cast(typ, reference.Integer(elem.Int64, int64(rng.IntN(5000)-2500))), data, i)
				}
				sortsByDigits(t, &ir.Sort{Dims: dims, Keep: c.n, Descending: i%2 == 1, In: ir.Contiguous(typ, dims),
					Values: new(ir.Contiguous(typ, dims)), Places: new(ir.Contiguous(elem.Int64, dims))}, c.target, data)
			})
		}
	}
}

// sortsByDigits compares the results of kernels that sort digit by digit with the reference's.
func sortsByDigits(t *testing.T, p *ir.Sort, target kgen.Target, data []byte) {
	t.Helper()
	m, err := kgen.Generate(p, target)
	if err != nil {
		t.Fatal(err)
	}
	if names := kernelNames(m); !slices.Contains(names, "move_last") {
		t.Fatalf("sorted by %s", strings.Join(names, ", "))
	}
	var got, want [][]byte
	for _, o := range ir.Writes(p) {
		bytes := p.Dims[0] * p.Keep * o.Type.Size()
		got, want = append(got, make([]byte, bytes)), append(want, make([]byte, bytes))
	}
	if _, err := simulate.Run(m, [][]byte{data}, got, nil, true); err != nil {
		t.Fatal(err)
	}
	if err := reference.Run(p, [][]byte{data}, want, nil); err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if !bytes.Equal(got[i], want[i]) {
			t.Errorf("result %d differs", i)
		}
	}
}

func kernelNames(m *kgen.Module) (names []string) {
	for _, k := range m.Kernels {
		names = append(names, k.Name)
	}
	return names
}
