package cuda

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// longTransform is one that clusters do.
func longTransform(n, lines int, inverse bool) *ir.FFT {
	dims := []int{lines, n}
	o := ir.Contiguous(elem.Complex64, dims)
	return &ir.FFT{Outer: dims[:1], Kind: ir.FFTComplex, Inverse: inverse, N: n, Scale: 1, InLen: n, In: o, Out: o}
}

// Where a GPU has no room for a cluster, the program is made without.
func TestNoRoomForClusters(t *testing.T) {
	for clusters, want := range []int{0, 16} {
		s := newSim()
		s.clusters = clusters
		had := -1
		d, err := open("cuda:0", "simulated", s, s, func(p ir.Program, card emit.Card) (*emit.Module, error) {
			m, err := s.generate(p, card)
			m.Steps[0].Cluster, had = card.Cluster, card.Cluster
			return m, err
		}, openCache(""))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Compile(longTransform(64, 1, false)); err != nil || had != want {
			t.Errorf("room for %d: made for clusters of %d, %v", clusters, had, err)
		}
		_ = d.Close()
	}
}

// Complex lines by clusters have the bits of lines in passes, on a GPU; real ones, which passes
// part into columns, have their numbers.
func TestClustersOnGPU(t *testing.T) {
	d := openGPU(t)
	if d.card.Cluster == 0 {
		t.Skip("the GPU has no clusters: they came with compute capability 9.0")
	}
	q, err := d.NewQueue()
	if err != nil {
		t.Fatal(err)
	}
	const bytesOfAll = 100 << 20 // more clusters than run at once
	for _, w := range []struct {
		name string
		p    *ir.FFT
	}{
		{"32768", longTransform(32768, bytesOfAll/32768/8+1, false)}, {"65536", longTransform(65536, bytesOfAll/65536/8+1, true)},
		{"44100", longTransform(44100, bytesOfAll/44100/8+1, false)}, {"131072", longTransform(131072, bytesOfAll/131072/8+1, true)},
		{"real", realTransform(65536, bytesOfAll/65536/4+1, ir.FFTRealForward)}, {"to real", realTransform(65536, bytesOfAll/65536/4+1, ir.FFTRealInverse)},
		{"to real 131072", realTransform(131072, bytesOfAll/131072/4+1, ir.FFTRealInverse)},
	} {
		t.Run(w.name, func(t *testing.T) {
			need, err := ir.Bytes(w.p)
			if err != nil {
				t.Fatal(err)
			}
			data := make([]byte, need[0])
			r := rand.New(rand.NewPCG(uint64(len(data)), 3))
			for i := 0; i < len(data); i += 4 {
				binary.LittleEndian.PutUint32(data[i:], math.Float32bits(r.Float32()-0.5))
			}
			var out [2][]byte
			for i, cluster := range []int{0, d.card.Cluster} {
				k := &kernel{dev: d, program: w.p, need: need}
				card := d.card
				card.Cluster = cluster
				if err := k.make(card); err != nil {
					t.Fatal(err)
				}
				if one := len(k.steps) == 1; one != (i == 1) {
					t.Fatalf("%d steps with clusters of %d", len(k.steps), cluster)
				}
				x, y := allocated(t, d, need[0]), allocated(t, d, need[1])
				out[i] = make([]byte, need[1])
				q.Write(x, data)
				q.Launch(device.Launch{Kernel: k, Reads: []device.Buffer{x}, Writes: []device.Buffer{y}})
				if err := q.Read(context.Background(), out[i], y); err != nil {
					t.Fatal(err)
				}
			}
			if w.p.Kind == ir.FFTComplex && !bytes.Equal(out[0], out[1]) {
				t.Error("other bits than in passes")
			}
			if off := apart(out[0], out[1]); !(off < 6e-7) {
				t.Errorf("other numbers than in passes: off by %.1e of their norm", off)
			}
		})
	}
}

// apart is the norm of the difference of two lists of float32 over that of the first.
func apart(a, b []byte) float64 {
	var difference, norm float64
	for i := 0; i < len(a); i += 4 {
		x, y := math.Float32frombits(binary.LittleEndian.Uint32(a[i:])), math.Float32frombits(binary.LittleEndian.Uint32(b[i:]))
		difference += float64(x-y) * float64(x-y)
		norm += float64(x) * float64(x)
	}
	return math.Sqrt(difference / norm)
}

// realTransform is one of or to real lines.
func realTransform(n, lines int, kind ir.FFTKind) *ir.FFT {
	f := &ir.FFT{Outer: []int{lines}, Kind: kind, N: n, Scale: 1}
	f.InLen = f.InNeeded()
	in, out := elem.Float32, elem.Complex64
	if kind == ir.FFTRealInverse {
		in, out = out, in
	}
	f.In, f.Out = ir.Contiguous(in, []int{lines, f.InLen}), ir.Contiguous(out, []int{lines, f.OutLen()})
	return f
}

func allocated(t *testing.T, d *Device, n int) device.Buffer {
	t.Helper()
	b, err := d.Alloc(n)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Free(b) })
	return b
}

// BenchmarkClusters times transforms that clusters do beside those in passes, in times
// of a copy of as many bytes.
func BenchmarkClusters(b *testing.B) {
	if _, err := Count(); err != nil {
		b.Skip(err)
	}
	const bytes = 1 << 29
	d := openGPU(b)
	x := newBench(b, d)
	in, out := x.filled(elem.Complex64, bytes, 0), x.filled(elem.Complex64, bytes, 0)
	measure := func(b *testing.B, p ir.Program, cluster int) time.Duration {
		k := &kernel{dev: d, program: p}
		card := d.card
		card.Cluster = cluster
		var err error
		if k.need, err = ir.Bytes(p); err == nil {
			err = k.make(card)
		}
		if err != nil {
			b.Fatal(err)
		}
		best := time.Duration(math.MaxInt64)
		for range 8 {
			const times = 10
			start := time.Now()
			for range times {
				x.q.Launch(device.Launch{Kernel: k, Reads: []device.Buffer{in}, Writes: []device.Buffer{out}})
			}
			x.wait()
			best = min(best, time.Since(start)/times)
		}
		return best
	}
	for _, w := range []struct {
		name  string
		p     ir.Program
		bytes int // in, and out
	}{
		{"complex 32768", longTransform(32768, bytes/8/32768, false), bytes}, {"complex 65536", longTransform(65536, bytes/8/65536, false), bytes},
		{"real 65536", realTransform(65536, bytes/8/65536, ir.FFTRealForward), bytes / 2}, {"to real 65536", realTransform(65536, bytes/8/65536, ir.FFTRealInverse), bytes / 2},
	} {
		flat := ir.Contiguous(elem.Float32, []int{w.bytes / 4})
		copied := measure(b, chained([]int{w.bytes / 4}, []ir.Operand{flat}, flat), 0)
		for _, cluster := range []int{0, d.card.Cluster} {
			b.Run(fmt.Sprintf("%s/%d", w.name, cluster), func(b *testing.B) {
				best := measure(b, w.p, cluster)
				for b.Loop() { // once: measure has repeated it
				}
				b.ReportMetric(float64(best.Microseconds())/1e3, "ms")
				b.ReportMetric(float64(best)/float64(copied), "copies")
			})
		}
	}
}
