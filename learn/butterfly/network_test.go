package butterfly_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"math/cmplx"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/learn"
	"github.com/twiddle-go/twiddle/learn/butterfly"
	"github.com/twiddle-go/twiddle/nd"
)

func Example() {
	ctx := context.Background()
	m, err := butterfly.DFT.Dense(16, 0)
	if err != nil {
		log.Fatal(err)
	}
	form, err := butterfly.FormOf(butterfly.DFT, 16)
	if err != nil {
		log.Fatal(err)
	}
	net, err := butterfly.Grow{Seed: 1}.Train(ctx, m, form) // from random numbers
	if err != nil {
		log.Fatal(err)
	}
	got, err := net.Matrix(ctx, nd.Complex128)
	fmt.Println(butterfly.Compare(got, m).RMSE < 1e-9, err)

	x := nd.Normal(2, nd.Float32, 100, 16)
	y := net.Apply(x).AbsSquared() // one pass over memory
	fmt.Println(y.Shape(), y.DType())
	// Output:
	// true <nil>
	// [100 16] float32
}

func exact(t testing.TB, tr butterfly.Transform, n int) *butterfly.Network {
	t.Helper()
	net, err := butterfly.Exact(tr, n, 1)
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// Rounding of double precision is no part of a network in single precision.
func TestWeightsWithoutRounding(t *testing.T) {
	ctx := context.Background()
	net := exact(t, butterfly.DFT, 8)
	net.W[0], net.W[1] = complex(real(net.W[0]), 1e-16), complex(1e-17, imag(net.W[1]))
	net.W[2] = 1e-10i
	for _, c := range []struct {
		t    nd.DType
		want [3]complex128
	}{
		{nd.Complex64, [3]complex128{complex(real(net.W[0]), 0), complex(0, imag(net.W[1])), net.W[2]}},
		{nd.Complex128, [3]complex128{net.W[0], net.W[1], net.W[2]}},
	} {
		got, err := nd.Slice[complex128](ctx, net.Weights(c.t).Cast(nd.Complex128))
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range c.want {
			if cmplx.Abs(got[i]-want) > 1e-7*cmplx.Abs(want) {
				t.Errorf("%s: number %d is %v, want %v", c.t, i, got[i], want)
			}
		}
	}
}

func TestStarts(t *testing.T) {
	for _, tr := range butterfly.Transforms {
		m, f := target(t, tr, 16)
		if e := errorsOf(t, exact(t, tr, 16), m, nd.Complex128); !(e.RMSE < 1e-14) {
			t.Errorf("exact %s is off by %g", tr, e.RMSE)
		}
		if e := errorsOf(t, exact(t, tr, 16).Perturbed(0.01, 1), m, nd.Complex128); !(e.RMSE > 1e-4 && e.RMSE < 0.3) {
			t.Errorf("perturbed %s is off by %g", tr, e.RMSE)
		}
		o, err1 := butterfly.Orthogonal(f, 3)
		id, err2 := butterfly.Identity(f)
		r, err3 := butterfly.Random(f, 3)
		if err := errors.Join(err1, err2, err3); err != nil {
			t.Fatal(err)
		}
		// Orthogonal: inverse and adjoint are one.
		q, err := o.Matrix(t.Context(), nd.Complex128)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 16 {
			for j := range 16 {
				var dot complex128
				for k := range 16 {
					dot += q.At(i, k) * cmplx.Conj(q.At(j, k))
				}
				if want := map[bool]complex128{true: 1}[i == j]; cmplx.Abs(dot-want) > 1e-12 {
					t.Fatalf("%s: rows %d and %d have the product %v", tr, i, j, dot)
				}
			}
		}
		// Identity: every row and column has one 1.
		p, err := id.Matrix(t.Context(), nd.Complex128)
		if err != nil {
			t.Fatal(err)
		}
		ones := 0
		for _, v := range p.Data {
			if v == 1 {
				ones++
			} else if v != 0 {
				t.Errorf("%s: identity has %v", tr, v)
			}
		}
		if ones != 16 {
			t.Errorf("%s: identity has %d ones", tr, ones)
		}
		again, _ := butterfly.Random(f, 3)
		if !reflect.DeepEqual(r, again) || reflect.DeepEqual(r.W, o.W) {
			t.Error("random numbers do not follow the seed")
		}
	}
}

func TestJoint(t *testing.T) {
	for _, c := range []struct {
		tr      butterfly.Transform
		samples int
	}{{butterfly.DFT, 0}, {butterfly.DFT, 64}, {butterfly.DCT2, 0}, {butterfly.DCT2, 48}, {butterfly.Hadamard, 0}} {
		m, _ := target(t, c.tr, 16)
		start := exact(t, c.tr, 16).Perturbed(0.02, 5)
		net, err := butterfly.Joint{Seed: 1, Adam: 20, LBFGS: 300, Samples: c.samples}.Train(t.Context(), m, start)
		if err != nil {
			t.Fatal(err)
		}
		if e := errorsOf(t, net, m, nd.Complex128); !(e.RMSE < 1e-7) {
			t.Errorf("%s on %d samples: RMSE %g", c.tr, c.samples, e.RMSE)
		}
	}
}

var errCut = errors.New("cut")

func TestJointResumes(t *testing.T) {
	m, _ := target(t, butterfly.DFT, 8)
	start := exact(t, butterfly.DFT, 8).Perturbed(0.1, 5)
	train := func(cut int, phase, name string, resume bool) (*butterfly.Network, error) {
		return butterfly.Joint{Seed: 1, Adam: 12, LBFGS: 12, Checkpoint: name, Every: 5, Resume: resume,
			Hook: func(p string, e learn.Event) error {
				if p == phase && e.Step == cut {
					return errCut
				}
				return nil
			}}.Train(t.Context(), m, start)
	}
	dir := t.TempDir()
	whole, err := train(0, "", filepath.Join(dir, "whole"), false)
	if err != nil {
		t.Fatal(err)
	}
	for _, phase := range []string{"adam", "lbfgs"} {
		name := filepath.Join(dir, phase)
		if _, err := train(7, phase, name, false); !errors.Is(err, errCut) {
			t.Fatal(err)
		}
		again, err := train(0, "", name, true)
		if err != nil || !reflect.DeepEqual(again, whole) {
			t.Errorf("cut in %s: %v, other bits: %t", phase, err, err == nil)
		}
	}
	if _, err := train(0, "", filepath.Join(dir, "nothing"), true); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("resumed from nothing: %v", err)
	}
}

func TestGrowResumes(t *testing.T) {
	m, f := target(t, butterfly.DCT2, 16)
	whole, err := butterfly.Grow{Seed: 2}.Train(t.Context(), m, f)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "growth")
	g := butterfly.Grow{Seed: 2, Checkpoint: name, Hook: func(e butterfly.GrowEvent) error {
		if e.Size == 8 && e.Step == 3 {
			return errCut
		}
		return nil
	}}
	if _, err := g.Train(t.Context(), m, f); !errors.Is(err, errCut) {
		t.Fatal(err)
	}
	g.Hook, g.Resume = nil, true
	again, err := g.Train(t.Context(), m, f)
	if err != nil || !reflect.DeepEqual(again, whole) {
		t.Errorf("resumed: %v, the same bits: %t", err, reflect.DeepEqual(again, whole))
	}
	g.Seed = 3
	if _, err := g.Train(t.Context(), m, f); err == nil || !strings.Contains(err.Error(), "seed 2, want 3") {
		t.Error(err)
	}
	other, form := target(t, butterfly.DFT, 16)
	if _, err := g.Train(t.Context(), other, form); err == nil || !strings.Contains(err.Error(), "another form") {
		t.Error(err)
	}
}

func TestGrowSaysWhereItFails(t *testing.T) {
	m, _ := target(t, butterfly.DFT, 16)
	var failed *butterfly.FailedError
	net, err := butterfly.Grow{Steps: 60, Tries: 2}.Train(t.Context(), m, butterfly.Single(16)) // in order: no FFT
	if !errors.As(err, &failed) || failed.Size != 16 || net != nil {
		t.Errorf("%v", err)
	}
}

func TestLearnForm(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: trains networks of a dozen forms, which takes minutes with the race detector")
	}
	for tr, want := range map[butterfly.Transform]string{
		butterfly.DFT: "single from bit reversal", butterfly.Hadamard: "real single", butterfly.Hartley: "real double to bit reversal",
	} {
		f, tried, err := butterfly.LearnForm(t.Context(), tr, 64, 1)
		if err != nil {
			t.Fatal(err)
		}
		known, _ := butterfly.FormOf(tr, 64)
		if last := tried[len(tried)-1]; last.Name != want || last.Error > 1e-5 || !reflect.DeepEqual(f, known) {
			t.Errorf("%s: %+v", tr, tried)
		}
	}
}

func TestInverse(t *testing.T) {
	x := nd.Normal(3, nd.Float64, 5, 32).Cast(nd.Complex128)
	for _, tr := range butterfly.Transforms {
		net := exact(t, tr, 32)
		inv, err := net.Inverse()
		if err != nil {
			t.Fatal(err)
		}
		far, err := nd.Item[float64](t.Context(), inv.Apply(net.Apply(x)).Sub(x).Abs().Max())
		if err != nil || far > 1e-9 {
			t.Errorf("%s: back with an error of %g, %v", tr, far, err)
		}
	}
	zero, _ := butterfly.NewNetwork(butterfly.Single(4))
	if _, err := zero.Inverse(); err == nil {
		t.Error("zeros were inverted")
	}
}

// A learned DFT has the twiddles of the FFT, once scales are out of the way.
func TestCanonical(t *testing.T) {
	m, f := target(t, butterfly.DFT, 32)
	net, err := butterfly.Grow{Seed: 4}.Train(t.Context(), m, f)
	if err != nil {
		t.Fatal(err)
	}
	got := net.Canonical()
	if e := errorsOf(t, got, m, nd.Complex128); e.RMSE > 1e-9 {
		t.Errorf("the canonical network is off by %g", e.RMSE)
	}
	for i, w := range exact(t, butterfly.DFT, 32).W {
		if cmplx.Abs(w-got.W[i]) > 1e-8 {
			t.Fatalf("number %d is %v, the FFT has %v", i, got.W[i], w)
		}
	}
}

func TestPruned(t *testing.T) {
	m, f := target(t, butterfly.Conv, 16)
	net := exact(t, butterfly.Conv, 16)
	same, dropped := net.Pruned(1e-12)
	if e := errorsOf(t, same, m, nd.Complex128); e.RMSE > 1e-12 {
		t.Errorf("without %d numbers it is off by %g", dropped, e.RMSE)
	}
	rough, more := net.Pruned(0.5)
	if e := errorsOf(t, rough, m, nd.Complex128); more <= dropped || e.RMSE < 1e-3 {
		t.Errorf("%d numbers dropped, off by %g", more, e.RMSE)
	}
	// Factors that only scale are no work.
	id, _ := butterfly.Identity(f)
	for i := range id.W {
		id.W[i] *= 2
	}
	one, _ := id.Pruned(0)
	want, err := id.Matrix(t.Context(), nd.Complex128)
	if err != nil || len(one.Spans) != 1 || errorsOf(t, one, want, nd.Complex128).Max != 0 {
		t.Errorf("%d factors left, %v", len(one.Spans), err)
	}
}

func TestQuantize(t *testing.T) {
	for _, tr := range butterfly.Transforms {
		m, _ := target(t, tr, 32)
		q := exact(t, tr, 32).Quantize()
		e := errorsOf(t, q.Network(), m, nd.Complex128)
		scale := 0.0
		for _, v := range m.Data {
			scale = max(scale, cmplx.Abs(v))
		}
		if !(e.RMSE > 0 && e.RMSE < 0.2*scale) {
			t.Errorf("%s: 8 bits are off by %g of %g", tr, e.RMSE, scale)
		}
		// The plan's own decoding is the same network.
		x := nd.Normal(1, nd.Float64, 2, 32).Cast(nd.Complex128)
		opt := nd.Butterfly{Spans: q.Spans, From: q.From, To: q.To}
		a := x.Butterfly(q.Weights(nd.Complex128), opt).Sub(x.Butterfly(q.Network().Weights(nd.Complex128), opt)).Abs().Max()
		if far, err := nd.Item[float64](t.Context(), a); err != nil || far > 1e-12 {
			t.Errorf("%s: %g apart, %v", tr, far, err)
		}
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "w.safetensors")
	net := exact(t, butterfly.DCT2, 16)
	about := butterfly.About{Transform: butterfly.DCT2, Seed: math.MaxUint64}
	if err := net.Save(name, about); err != nil {
		t.Fatal(err)
	}
	got, says, err := butterfly.Load(name)
	if err != nil || !reflect.DeepEqual(got, net) || says != about {
		t.Fatalf("%v %+v", err, says)
	}
	good, _ := os.ReadFile(name)
	for _, c := range []struct{ name, old, new, want string }{
		{"format", "twiddle.butterfly 1", "twiddle.butterfly 2", "something else"},
		{"transform", `"transform":"dct2"`, `"transform":"dtc2"`, `transform "dtc2"`},
		{"length", `\"N\":16`, `\"N\":17`, "power of two"},
		{"form", `\"Spans\":[8,`, `\"Spans\":[9,`, "span 9"},
		{"order", `\"From\":[0,`, `\"From\":[1,`, "not a permutation"},
		{"blocks", `"blocks"`, `"blockz"`, `no "blocks"`},
		{"shape", `\"Spans\":[8,4,`, `\"Spans\":[8  ,`, "complex numbers"},
	} {
		bad := bytes.Replace(good, []byte(c.old), []byte(c.new), 1)
		if bytes.Equal(bad, good) {
			t.Fatalf("%s: nothing to replace", c.name)
		}
		file := filepath.Join(dir, c.name)
		if err := os.WriteFile(file, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := butterfly.Load(file); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if err := os.WriteFile(name, good[:len(good)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := butterfly.Load(name); err == nil {
		t.Error("half a file was loaded")
	}
	if _, _, err := butterfly.Load(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) || errors.Is(err, io.EOF) {
		t.Error(err)
	}
}

func TestBadLengths(t *testing.T) {
	for _, n := range []int{-8, 0, 1, 3, 12, 1 << 20} {
		_, err1 := butterfly.DFT.Dense(n, 0)
		_, err2 := butterfly.FormOf(butterfly.DFT, n)
		_, err3 := butterfly.NewNetwork(butterfly.Form{N: n, Spans: []int{1}})
		_, _, err4 := butterfly.LearnForm(t.Context(), butterfly.DFT, n, 0)
		for _, err := range []error{err1, err2, err3, err4} {
			if err == nil || !strings.Contains(err.Error(), "want a power of two") {
				t.Errorf("n %d: %v", n, err)
			}
		}
	}
	if _, err := butterfly.ParseTransform("fft"); err == nil {
		t.Error("there is no transform fft")
	}
	m, _ := target(t, butterfly.DFT, 8)
	if _, err := butterfly.Factorize(m, butterfly.Single(16)); err == nil {
		t.Error("a matrix of 8 for a form of 16")
	}
	real := butterfly.Single(8)
	real.Real = true
	if _, err := (butterfly.Grow{}).Train(t.Context(), m, real); err == nil {
		t.Error("a real form for a complex matrix")
	}
}
