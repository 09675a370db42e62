package cpu_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cpu"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// noise gives n numbers of type t that are not exact in any sum.
func noise(r *rand.Rand, t elem.Type, n int) []byte {
	b := make([]byte, n*t.Size())
	switch t {
	case elem.Float32:
		for i, x := 0, elem.Slice[float32](b); i < n; i++ {
			x[i] = float32(r.NormFloat64())
		}
	case elem.Float64:
		for i, x := 0, elem.Slice[float64](b); i < n; i++ {
			x[i] = r.NormFloat64()
		}
	case elem.Complex64:
		for i, x := 0, elem.Slice[float32](b); i < 2*n; i++ {
			x[i] = float32(r.NormFloat64())
		}
	case elem.Float16:
		for i, x := 0, elem.Slice[elem.F16](b); i < n; i++ {
			x[i] = elem.F16From(float32(r.NormFloat64()))
		}
	case elem.Int32:
		for i, x := 0, elem.Slice[int32](b); i < n; i++ {
			x[i] = int32(r.Uint32())
		}
	case elem.Int64:
		for i, x := 0, elem.Slice[int64](b); i < n; i++ {
			x[i] = int64(r.IntN(50))
		}
	}
	return b
}

// Programs big enough to be shared among workers give the same bits whoever
// does the work.
func TestSameBitsWhateverTheWorkers(t *testing.T) {
	const f32, c64 = elem.Float32, elem.Complex64
	matrix := []int{3000, 1000}
	columns := ir.Operand{Type: f32, Strides: []int{1, 1000}}
	whole := func(t elem.Type, n int) ir.Operand { return ir.Contiguous(t, []int{n}) }
	programs := map[string]ir.Program{
		"map":         chain(5_000_003),
		"sum":         reduction([]int{3_000_001}, 1, ir.Sum, whole(f32, 3_000_001)),
		"sum half":    reduction([]int{1_000_001}, 1, ir.Sum, whole(elem.Float16, 1_000_001)),
		"sum complex": reduction([]int{1_000_001}, 1, ir.Sum, whole(c64, 1_000_001)),
		"argmax":      reduction([]int{3_000_001}, 1, ir.ArgMax, whole(f32, 3_000_001)),
		"sum rows":    reduction(matrix, 1, ir.Sum, ir.Contiguous(f32, matrix)),
		"sum columns": reduction([]int{1000, 3000}, 1, ir.Sum, columns),
		"sum few":     reduction([]int{513, 256}, 1, ir.Sum, ir.Operand{Type: f32, Strides: []int{1, 513}}),
		"sum odd":     reduction([]int{1025, 211}, 1, ir.Sum, ir.Operand{Type: f32, Strides: []int{1, 1025}}),
		"sum blocks":  reduction([]int{2500, 97}, 1, ir.Sum, ir.Operand{Type: f32, Strides: []int{1, 2500}}),
		"argmax few":  reduction([]int{300, 1000}, 1, ir.ArgMax, ir.Operand{Type: f32, Strides: []int{1, 300}}),
		"sum tall":    reduction([]int{20, 100_000}, 1, ir.Sum, ir.Operand{Type: f32, Strides: []int{1, 20}}),
		"transposed":  copyProgram(matrix, ir.Operand{Type: f32, Strides: []int{1, 3000}}, ir.Contiguous(f32, matrix)),
		"scan":        &ir.Scan{Dims: []int{300_000}, Op: ir.Sum, In: whole(f32, 300_000), Out: whole(f32, 300_000)},
		"scans": &ir.Scan{Dims: []int{1000, 300}, Op: ir.Sum, In: ir.Operand{Type: f32, Strides: []int{1, 1000}},
			Out: ir.Contiguous(f32, []int{1000, 300})},
		"sort": &ir.Sort{Dims: []int{60, 5000}, Keep: 5000, In: ir.Contiguous(f32, []int{60, 5000}), Values: new(ir.Contiguous(f32, []int{60, 5000}))},
		"gather": &ir.Gather{Dims: []int{300_000}, Data: ir.Operand{Type: f32, Strides: []int{0}}, Index: whole(elem.Int64, 300_000),
			Out: whole(f32, 300_000), AxisStride: 1, AxisLen: 50},
		"scatter": &ir.Scatter{Dims: []int{500, 200}, Updates: ir.Contiguous(f32, []int{500, 200}), Index: ir.Contiguous(elem.Int64, []int{500, 200}),
			Out: ir.Operand{Type: f32, Strides: []int{0, 1}}, Axis: 0, AxisStride: 200, AxisLen: 50},
		"gemm": gemmProgram(f32, 300, 280, 310), "gemm half": gemmProgram(elem.Float16, 200, 180, 210),
		"gemm int": gemmProgram(elem.Int32, 100, 90, 110), "gemm complex": gemmProgram(c64, 200, 180, 210),
		"fft long": &ir.FFT{N: 1 << 17, InLen: 1 << 17, Scale: 1, In: whole(c64, 1<<17), Out: whole(c64, 1<<17)},
		"fft lines": &ir.FFT{Outer: []int{300}, Kind: ir.FFTRealForward, N: 1000, InLen: 1000, Scale: 1,
			In: ir.Operand{Type: f32, Strides: []int{1, 300}}, Out: ir.Contiguous(c64, []int{300, 501})},
		"frames added": addedFrames(f32, c64, 64, 1, 40_000), "frames added by hops": addedFrames(f32, c64, 64, 16, 10_000),
		"long frames added": addedFrames(f32, c64, 1000, 7, 5000), "frames of float64 added": addedFrames(elem.Float64, elem.Complex128, 60, 1, 9000),
	}
	r := rand.New(rand.NewPCG(8, 9))
	args := []scalar.Arg{scalar.ArgOf(f32, 1.5)}
	devices := []*cpu.Device{cpu.Open(cpu.Options{Workers: 1}), cpu.Open(cpu.Options{Workers: 2}), cpu.Open(cpu.Options{Workers: 5})}
	for name, p := range programs {
		t.Run(name, func(t *testing.T) {
			var reads, writes [][]byte
			const room = 6_000_000 // elements, enough for every operand here
			for _, o := range ir.Reads(p) {
				n := room
				if o.Type != f32 {
					n = 1_200_000
				}
				reads = append(reads, noise(r, o.Type, n))
			}
			for _, o := range ir.Writes(p) {
				writes = append(writes, make([]byte, room*o.Type.Size()))
			}
			want := runOn(t, devices[0], p, reads, writes, args, -1)
			if bytes.Equal(want[0], writes[0]) {
				t.Fatal("nothing was written")
			}
			for _, dev := range devices[1:] {
				got := runOn(t, dev, p, reads, writes, args, -1)
				if !bytes.Equal(got[0], want[0]) {
					t.Errorf("%d workers give other bits than one", dev.Info().Workers)
				}
			}
		})
	}
	for _, d := range devices {
		d.Close()
	}
}

func gemmProgram(t elem.Type, m, n, k int) *ir.Gemm {
	return &ir.Gemm{M: m, N: n, K: k, A: ir.Contiguous(t, []int{m, k}), B: ir.Contiguous(t, []int{k, n}), Out: ir.Contiguous(t, []int{m, n})}
}

// Sums over long lines and tall columns stay close to the exact ones: the
// error of pairwise summation grows with the logarithm of the length.
func TestLongSumsAreAccurate(t *testing.T) {
	dev := cpu.Open(cpu.Options{})
	defer dev.Close()
	r := rand.New(rand.NewPCG(3, 4))
	const n = 1 << 21
	data := make([]float32, n)
	for i := range data {
		data[i] = r.Float32()
	}
	for _, width := range []int{1, 2, 16, 1024} {
		rows := n / width
		in := ir.Operand{Type: elem.Float32, Strides: []int{1, width}}
		p := reduction([]int{width, rows}, 1, ir.Sum, in)
		out := runOn(t, dev, p, [][]byte{elem.Bytes(data)}, [][]byte{make([]byte, 4*width)}, nil, -1)
		for c, got := range elem.Slice[float32](out[0]) {
			want := 0.0
			for i := range rows {
				want += float64(data[i*width+c])
			}
			// log2(n) roundings of half an ulp, and as much again for the leaves.
			if e := math.Abs(float64(got)-want) / want; e > 40*0x1p-24 {
				t.Errorf("width %d, column %d: %v, want %v (%.3g)", width, c, got, want, e)
			}
		}
	}
}

// Every element size and many shapes go through the tiles of a transposed
// copy, and through streaming stores, into places that are not aligned.
func TestTransposedCopies(t *testing.T) {
	dev := cpu.Open(cpu.Options{Workers: 3})
	defer dev.Close()
	r := rand.New(rand.NewPCG(1, 7))
	for _, typ := range []elem.Type{elem.Uint8, elem.Float16, elem.Float32, elem.Complex64, elem.Complex128} {
		for _, dims := range [][]int{{3, 700}, {700, 3}, {130, 517}, {2, 300, 40}, {40, 3, 300}} {
			size := typ.Size()
			in := ir.Contiguous(typ, dims)
			perm := r.Perm(len(dims))
			turned, out := make([]int, len(dims)), ir.Operand{Type: typ, Offset: r.IntN(3)}
			for i, p := range perm {
				turned[i] = dims[p]
			}
			from := ir.Operand{Type: typ}
			for _, p := range perm {
				from.Strides = append(from.Strides, in.Strides[p])
			}
			out.Strides = ir.Contiguous(typ, turned).Strides
			data := make([]byte, ir.Count(dims)*size)
			for i := range data {
				data[i] = byte(r.Uint32())
			}
			name := fmt.Sprintf("%s %v as %v", typ, dims, perm)
			got := runOn(t, dev, copyProgram(turned, from, out), [][]byte{data}, [][]byte{make([]byte, len(data)+3*size)}, nil, -1)[0]
			index := make([]int, len(dims))
			for i := range ir.Count(dims) {
				rest, at := i, 0
				for k := len(turned) - 1; k >= 0; k-- {
					index[k] = rest % turned[k]
					rest /= turned[k]
					at += index[k] * from.Strides[k]
				}
				to := (out.Offset + i) * size
				if !bytes.Equal(got[to:to+size], data[at*size:(at+1)*size]) {
					t.Fatalf("%s: element %d is wrong", name, i)
				}
			}
		}
	}
}

// The first index out of range is reported, whoever finds one first.
func TestFirstBadIndexIsReported(t *testing.T) {
	const n = 200_000
	index := make([]int64, n)
	index[150_000], index[60_001] = 99, -77
	p := &ir.Gather{Dims: []int{n}, Data: ir.Operand{Type: elem.Float32, Strides: []int{0}}, Index: ir.Contiguous(elem.Int64, []int{n}),
		Out: ir.Contiguous(elem.Float32, []int{n}), AxisStride: 1, AxisLen: 10}
	dev := cpu.Open(cpu.Options{Workers: 4})
	defer dev.Close()
	k, err := dev.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		err := launchError(t, dev, k, [][]byte{make([]byte, 40), elem.Bytes(index)}, 4*n)
		if want := "index -77 out of range for axis of length 10"; err == nil || err.Error() != "take: "+want {
			t.Fatalf("%v, want %s", err, want)
		}
	}
}

// launchError runs a kernel with one output and returns its mark.
func launchError(t *testing.T, dev *cpu.Device, k device.Kernel, reads [][]byte, outBytes int) error {
	t.Helper()
	q, err := dev.NewQueue()
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	l := device.Launch{Kernel: k, Label: device.Label{Op: "take"}}
	for _, data := range reads {
		b, err := dev.Alloc(len(data))
		if err != nil {
			t.Fatal(err)
		}
		q.Write(b, data)
		l.Reads = append(l.Reads, b)
	}
	out, err := dev.Alloc(outBytes)
	if err != nil {
		t.Fatal(err)
	}
	l.Writes = []device.Buffer{out}
	q.Launch(l)
	return q.Read(t.Context(), make([]byte, outBytes), out)
}

// addedFrames adds count frames of a signal, hop apart, where they overlap, after
// they went through their spectra.
func addedFrames(t, c elem.Type, n, hop, count int) *ir.Line {
	along := func(t elem.Type) ir.Operand { return ir.Operand{Type: t, Strides: []int{1}} }
	real, bins := func() ir.Slot { return ir.Slot{Kind: ir.LocalSlot, Type: t, Len: n} }, n/2+1
	square := &ir.Map{Dims: []int{n}, Out: []ir.Operand{along(t)}, Value: []ir.ValueID{1}, Code: ir.Code{
		In:     []ir.Operand{along(t)},
		Instrs: []ir.Instr{{Kind: ir.Load, Type: t}, {Kind: ir.Apply, Op: scalar.AbsSquared, Type: t}}}}
	return &ir.Line{
		Outer: []int{count}, Segments: 1, Frames: []int{1},
		Slots: []ir.Slot{{Kind: ir.InSlot, Type: t, Len: n, Strides: []int{hop}}, {Kind: ir.LocalSlot, Type: c, Len: bins}, real(), real(),
			{Kind: ir.OutSlot, Type: t, Len: count * hop, Strides: []int{0}}},
		Stages: []ir.Stage{
			{Program: &ir.FFT{Kind: ir.FFTRealForward, N: n, Scale: 1, InLen: n, In: along(t), Out: along(c)}, Reads: []ir.SlotID{0}, Writes: []ir.SlotID{1}},
			{Program: &ir.FFT{Kind: ir.FFTRealInverse, N: n, Scale: 1, InLen: bins, In: along(c), Out: along(t)}, Reads: []ir.SlotID{1}, Writes: []ir.SlotID{2}},
			{Program: square, Reads: []ir.SlotID{2}, Writes: []ir.SlotID{3}},
			{Program: &ir.Overlap{Turns: 1, Phases: 1, Size: n, Count: count, Hop: hop, Skip: n - 1, Length: count * hop,
				In: ir.Operand{Type: t, Strides: []int{0, 0, 1}}, Out: along(t)}, Reads: []ir.SlotID{3}, Writes: []ir.SlotID{4}},
		},
	}
}
