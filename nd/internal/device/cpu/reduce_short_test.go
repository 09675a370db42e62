package cpu

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// Short lines and windows that are reduced many at once have the bits of lines that are reduced
// one by one, also with zeros of either sign, infinities and NaN.
func TestShortLinesHaveTheBitsOfLines(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 8))
	special := []float64{math.Copysign(0, -1), 0, math.NaN(), math.Inf(1), math.Inf(-1), 1e30, -1e30}
	for _, level := range simd.Available() {
		k := vec.For(level)
		for _, typ := range []elem.Type{elem.Float32, elem.Float64, elem.Complex64, elem.Complex128, elem.Int32, elem.Bool} {
			for _, op := range []ir.ReduceOp{ir.Sum, ir.Prod, ir.Max, ir.Min, ir.Any, ir.All, ir.ArgMax, ir.ArgMin} {
				f, ok := foldOf(k, op, typ)
				if !ok || !foldsShort(op, typ) {
					continue
				}
				size := typ.Size()
				for n := 2; n <= mostWindow(size); n++ {
					const m = 23
					data := make([]byte, (n*m+64)*size)
					plain := n%3 == 0
					for i := range n*m + 64 {
						p := unsafe.Pointer(&data[i*size])
						v := r.NormFloat64()
						if !plain && r.IntN(4) == 0 {
							v = special[r.IntN(len(special))]
						}
						switch typ {
						case elem.Float32:
							*(*float32)(p) = float32(v)
						case elem.Float64:
							*(*float64)(p) = v
						case elem.Complex64:
							*(*complex64)(p) = complex(float32(v), float32(r.NormFloat64()))
						case elem.Complex128:
							*(*complex128)(p) = complex(v, r.NormFloat64())
						case elem.Int32:
							*(*int32)(p) = int32(r.Uint32())
						case elem.Bool:
							*(*bool)(p) = r.IntN(2*n) != 0
						}
					}
					w := &reduceWork{fold: f, inner: n, valueBytes: size, inOrder: op == ir.Prod || op == ir.ArgMax || op == ir.ArgMin,
						code: &code{vec: k, loads: []load{{layout: layout{size: size, strides: []int{1, 2}}}}}}
					w.code.dims = []int{m, n}
					x := unsafe.Pointer(&data[0])
					got, want, room := make([]byte, m*f.size), make([]byte, m*f.size), make([]byte, 2*n*m*size)
					check := func(what string) {
						for _, b := range [][]byte{got, want} {
							oneNaN(typ.Real(), b)
							if f.result != nil {
								f.result(unsafe.Pointer(&b[0]), unsafe.Pointer(&b[0]), m)
							}
							if op == ir.ArgMax || op == ir.ArgMin { // positions count, not the extremes beside them
								clear(b[8*m:])
							}
						}
						if !bytes.Equal(got, want) {
							t.Fatalf("%s of %s %s of %d: % x, want % x", op, typ, what, n, got, want)
						}
					}
					if n <= mostShort {
						for i := range m {
							f.line(unsafe.Pointer(&want[i*f.size]), unsafe.Add(x, i*n*size), n, 0)
						}
						w.foldShort(unsafe.Pointer(&got[0]), x, unsafe.Pointer(&room[0]), m)
						check("lines")
					}
					if w.inOrder || 2*n+m > n*m+64 {
						continue
					}
					line := make([]byte, n*size)
					for i := range m {
						gatherLine(&k.Move, size, unsafe.Pointer(&line[0]), unsafe.Add(x, i*size), 2, n)
						f.line(unsafe.Pointer(&want[i*f.size]), unsafe.Pointer(&line[0]), n, 0)
					}
					w.foldWindow(unsafe.Pointer(&got[0]), x, unsafe.Pointer(&room[0]), m)
					check("windows")
				}
			}
		}
	}
}

// oneNaN makes all NaN of values the same: which of several remains is not said.
func oneNaN(t elem.Type, b []byte) {
	p := unsafe.Pointer(&b[0])
	switch t {
	case elem.Float32:
		for i, v := range unsafe.Slice((*float32)(p), len(b)/4) {
			if v != v {
				*(*float32)(unsafe.Add(p, 4*i)) = float32(math.NaN())
			}
		}
	case elem.Float64:
		for i, v := range unsafe.Slice((*float64)(p), len(b)/8) {
			if v != v {
				*(*float64)(unsafe.Add(p, 8*i)) = math.NaN()
			}
		}
	}
}

// Points are gathered in their order from any place, however short the rows are and whichever of
// their dimensions repeat.
func TestGatheredPoints(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 9))
	k := vec.For(simd.Active())
	for range 3000 {
		dims, strides := make([]int, 1+r.IntN(5)), make([]int, 0, 5)
		for i := range dims {
			dims[i] = 1 + r.IntN(6)
			if r.IntN(8) == 0 {
				dims[i] = 60 + r.IntN(8)
			}
			strides = append(strides, []int{0, 1, r.IntN(9)}[r.IntN(3)])
		}
		all := ir.Count(dims)
		size := []int{1, 2, 4, 8, 16}[r.IntN(5)]
		o := &layout{size: size, offset: 3, strides: strides}
		reach := o.offset + 1
		for i, n := range dims {
			reach += (n - 1) * strides[i]
		}
		src := make([]byte, reach*size)
		for i := range src {
			src[i] = byte(r.Uint32())
		}
		from := r.IntN(all)
		n := 1 + r.IntN(min(all-from, 3000))
		got := make([]byte, (n+1)*size)
		index := make([]int, len(dims))
		locate(index, dims, from)
		gatherPoints(&k.Move, unsafe.Pointer(&got[0]), unsafe.Pointer(&src[0]), o, dims, index, n)
		for i := range n {
			locate(index, dims, from+i)
			at := o.at(index) * size
			if !bytes.Equal(got[i*size:(i+1)*size], src[at:at+size]) {
				t.Fatalf("element %d of %d from %d of %v with strides %v, of %d bytes", i, n, from, dims, strides, size)
			}
		}
		if tail := got[n*size:]; !bytes.Equal(tail, make([]byte, size)) {
			t.Fatal("written behind the end")
		}
	}
}
