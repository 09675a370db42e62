package learn_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/audio/safetensors"
	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/learn"
	"github.com/twiddle-go/twiddle/nd"
)

func Example() {
	target := nd.From([]float64{3, -1})
	t := &learn.Trainer{
		Params:    []learn.Param{{Name: "w", Value: nd.Zeros(nd.Float64, 2)}},
		Loss:      func(_ int, p []*nd.Array) *nd.Array { return p[0].Sub(target).AbsSquared().Sum() },
		Optimizer: learn.SGD{Momentum: 0.5},
		Rate:      learn.Constant(0.1),
	}
	if err := t.Run(context.Background(), 60); err != nil {
		log.Fatal(err)
	}
	w, err := nd.Slice[float64](context.Background(), t.Params[0].Value)
	fmt.Printf("%.3f %v\n", w, err)
	// Output: [3.000 -1.000] <nil>
}

// problem is that of testdata/make_goldens.py.
func problem(o learn.Optimizer, rate float64) *learn.Trainer {
	t, s := nd.From([]float64{1, -2, 0.5, 3}), nd.From([]float64{1, 10, 0.1, 4})
	c := nd.From([]complex128{1 + 2i, -0.5i})
	at := func(w *nd.Array, i int) *nd.Array { return w.SliceAxis(0, nd.Range{Start: i, Stop: i + 1}).Squeeze() }
	return &learn.Trainer{
		Params: []learn.Param{
			{Name: "w", Value: nd.From([]float64{0.3, 0.1, -0.7, 0.2})},
			{Name: "z", Value: nd.From([]complex128{0.4 + 0.1i, -0.2 + 0.9i})},
		},
		Loss: func(_ int, p []*nd.Array) *nd.Array {
			w, z := p[0], p[1]
			loss := w.Sub(t).AbsSquared().Mul(s).Sum().Add(at(w, 0).Mul(at(w, 1)).SubScalar(1).AbsSquared())
			return loss.Add(z.AbsSquared().AbsSquared().MulScalar(0.25).Sum()).Sub(z.Mul(c).Real().Sum())
		},
		Optimizer: o, Rate: learn.Constant(rate),
	}
}

func TestOptimizersFollowPyTorch(t *testing.T) {
	testdevice.NeedsFloat64(t)
	text, err := os.ReadFile("testdata/torch.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden map[string]struct {
		Losses, W []float64
		Z         [][2]float64
	}
	if err := json.Unmarshal(text, &golden); err != nil {
		t.Fatal(err)
	}
	for name, trainer := range map[string]*learn.Trainer{
		"sgd":        problem(learn.SGD{}, 0.01),
		"momentum":   problem(learn.SGD{Momentum: 0.9, WeightDecay: 0.1}, 0.01),
		"nesterov":   problem(learn.SGD{Momentum: 0.8, Nesterov: true, WeightDecay: 0.02}, 0.01),
		"adam":       problem(learn.Adam{}, 0.05),
		"adam decay": problem(learn.Adam{Beta1: 0.8, Beta2: 0.99, Eps: 1e-6, WeightDecay: 0.1}, 0.05),
		"adamw":      problem(learn.AdamW{WeightDecay: 0.1}, 0.05),
		"clip norm":  problem(learn.SGD{}, 0.1),
	} {
		want, ok := golden[name]
		if !ok {
			t.Fatalf("no golden %q", name)
		}
		if name == "clip norm" {
			trainer.Clip = learn.Clip{Norm: 1.5}
		}
		for i, loss := range want.Losses {
			e, err := trainer.Step(t.Context())
			if err != nil || math.Abs(e.Loss-loss) > 1e-9*math.Abs(loss) {
				t.Fatalf("%s: step %d: loss %v, want %v, %v", name, i, e.Loss, loss, err)
			}
		}
		w, err1 := nd.Slice[float64](t.Context(), trainer.Params[0].Value)
		z, err2 := nd.Slice[complex128](t.Context(), trainer.Params[1].Value)
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		for i, v := range w {
			if math.Abs(v-want.W[i]) > 1e-9 {
				t.Errorf("%s: w %v, want %v", name, w, want.W)
			}
		}
		for i, v := range z {
			if math.Hypot(real(v)-want.Z[i][0], imag(v)-want.Z[i][1]) > 1e-9 {
				t.Errorf("%s: z %v, want %v", name, z, want.Z)
			}
		}
	}
}

// rosenbrock is a curved valley, with its minimum 0 at ones.
func rosenbrock(n int) *learn.Trainer {
	return &learn.Trainer{
		Params: []learn.Param{{Name: "x", Value: nd.Full(-1.2, nd.Float64, n)}},
		Loss: func(_ int, p []*nd.Array) *nd.Array {
			a, b := p[0].SliceAxis(0, nd.Range{Stop: n - 1}), p[0].SliceAxis(0, nd.Range{Start: 1, Stop: n})
			return b.Sub(a.AbsSquared()).AbsSquared().MulScalar(100).Add(a.SubScalar(1).AbsSquared()).Sum()
		},
		Optimizer: learn.LBFGS{}, Rate: learn.Constant(1),
	}
}

func TestLBFGSFindsTheMinimum(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, n := range []int{2, 10} {
		tr := rosenbrock(n)
		if err := tr.Run(t.Context(), 300); err != nil {
			t.Fatal(err)
		}
		x, err := nd.Slice[float64](t.Context(), tr.Params[0].Value)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range x {
			if math.Abs(v-1) > 1e-7 {
				t.Fatalf("n %d after %d steps: %v", n, tr.Steps(), x)
			}
		}
		if n == 2 && tr.Steps() > 60 {
			t.Errorf("%d steps for two numbers", tr.Steps())
		}
	}
	// Complex and real parameters together.
	tr := problem(learn.LBFGS{}, 1)
	var losses []float64
	err := tr.Run(t.Context(), 100, func(e learn.Event) error { losses = append(losses, e.Loss); return nil })
	if last := len(losses) - 1; err != nil || last < 5 || losses[last-1]-losses[last] > 1e-12 || losses[last] > losses[0] {
		t.Errorf("%v: %v", err, losses)
	}
}

// Parameters of single precision are searched in single precision.
func TestLBFGSInSinglePrecision(t *testing.T) {
	scales := nd.From([]float32{1, 30})
	tr := &learn.Trainer{
		Params: []learn.Param{{Name: "x", Value: nd.From([]float32{-2, 5})}}, Optimizer: learn.LBFGS{}, Rate: learn.Constant(1),
		Loss: func(_ int, v []*nd.Array) *nd.Array {
			d := v[0].SubScalar(1)
			return d.Mul(d).Mul(scales).Sum()
		},
	}
	if err := tr.Run(t.Context(), 20); err != nil {
		t.Fatal(err)
	}
	x, err := nd.Slice[float32](t.Context(), tr.Params[0].Value)
	if err != nil || math.Abs(float64(x[0])-1) > 1e-5 || math.Abs(float64(x[1])-1) > 1e-5 {
		t.Errorf("%v, %v after %d steps", x, err, tr.Steps())
	}
}

func TestSchedules(t *testing.T) {
	for _, c := range []struct {
		name string
		s    learn.Schedule
		want []float64 // at 0, 1, 5, 10, 100
	}{
		{"constant", learn.Constant(2), []float64{2, 2, 2, 2, 2}},
		{"decay", learn.Decay(1, 0.5, 5), []float64{1, 1, 0.5, 0.25, math.Pow(0.5, 20)}},
		{"cosine", learn.Cosine(1, 0, 10), []float64{1, (1 + math.Cos(math.Pi/10)) / 2, 0.5, 0, 0}},
		{"warmup", learn.Warmup(10, learn.Constant(1)), []float64{0.1, 0.2, 0.6, 1, 1}},
	} {
		for i, step := range []int{0, 1, 5, 10, 100} {
			if got := c.s(step); math.Abs(got-c.want[i]) > 1e-15 {
				t.Errorf("%s at %d: %g, want %g", c.name, step, got, c.want[i])
			}
		}
	}
}

func TestClipValue(t *testing.T) {
	testdevice.NeedsFloat64(t)
	tr := problem(learn.SGD{}, 1)
	tr.Clip = learn.Clip{Value: 0.25}
	if _, err := tr.Step(t.Context()); err != nil {
		t.Fatal(err)
	}
	w, err := nd.Slice[float64](t.Context(), tr.Params[0].Value)
	if err != nil || math.Abs(w[1]-(0.1-0.25)) > 1e-12 || math.Abs(w[3]-(0.2+0.25)) > 1e-12 {
		t.Error(w, err)
	}
}

// bits is all parameters of a trainer.
func bits(t *testing.T, tr *learn.Trainer) []any {
	t.Helper()
	var all []any
	for _, p := range tr.Params {
		if p.Value.DType().IsComplex() {
			v, err := nd.Slice[complex128](t.Context(), p.Value)
			all = append(all, v, err)
		} else {
			v, err := nd.Slice[float64](t.Context(), p.Value)
			all = append(all, v, err)
		}
	}
	return all
}

func TestResumeGivesTheSameBits(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, o := range []learn.Optimizer{learn.SGD{}, learn.SGD{Momentum: 0.9, Nesterov: true}, learn.Adam{}, learn.AdamW{WeightDecay: 0.1}, learn.LBFGS{Memory: 3}} {
		name := filepath.Join(t.TempDir(), "x.safetensors")
		rate := learn.Constant(0.01)
		if (o == learn.LBFGS{Memory: 3}) {
			rate = learn.Constant(1)
		}
		whole := problem(o, 0)
		whole.Rate = rate
		if err := whole.Run(t.Context(), 12, whole.SaveEvery(t.Context(), name, 7)); err != nil {
			t.Fatal(err)
		}
		again := problem(o, 0)
		again.Rate = rate
		if err := again.Load(name); err != nil {
			t.Fatal(err)
		}
		if again.Steps() != 7 {
			t.Errorf("%T: %d steps were saved", o, again.Steps())
		}
		if err := again.Run(t.Context(), 12); err != nil {
			t.Fatal(err)
		}
		if a, b := bits(t, whole), bits(t, again); !reflect.DeepEqual(a, b) {
			t.Errorf("%T: %v, resumed %v", o, a, b)
		}
	}
}

func TestBadCheckpoints(t *testing.T) {
	testdevice.NeedsFloat64(t)
	dir := t.TempDir()
	name := filepath.Join(dir, "x.safetensors")
	tr := problem(learn.Adam{}, 0.1)
	if err := tr.Run(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	if err := tr.Save(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	before := bits(t, tr)
	good, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	foreign, _ := safetensors.From("a", []float32{1})
	var other bytes.Buffer
	if err := safetensors.Write(&other, &safetensors.File{Tensors: []safetensors.Tensor{foreign}}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, want string
		bytes      []byte
	}{
		{"truncated", "end by", good[:len(good)-3]},
		{"cut in the header", "truncated", good[:40]},
		{"foreign", "no checkpoint", other.Bytes()},
		{"noise", "", []byte(strings.Repeat("noise", 100))},
		{"another optimizer", "saved with learn.SGD", bytes.Replace(good, []byte("learn.Adam"), []byte("learn.SGD "), 1)},
	} {
		bad := filepath.Join(dir, "bad")
		if err := os.WriteFile(bad, c.bytes, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := tr.Load(bad); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		if after := bits(t, tr); tr.Steps() != 2 || !reflect.DeepEqual(before, after) {
			t.Errorf("%s: the trainer changed", c.name)
		}
	}
	tr.Params[0].Value = nd.Zeros(nd.Float64, 3)
	if err := tr.Load(name); err == nil || !strings.Contains(err.Error(), "w is float64 [4], want float64 [3]") {
		t.Error(err)
	}
	tr.Params[0].Name = "v"
	if err := tr.Load(name); err == nil || !strings.Contains(err.Error(), `there is no parameter "v": it has ["w"`) {
		t.Error(err)
	}
	one := problem(learn.Adam{}, 0.1)
	one.Params = one.Params[:1]
	if err := one.Load(name); err == nil || !strings.Contains(err.Error(), `it has ["z"], which the trainer has not`) {
		t.Error(err)
	}
}

func TestErrors(t *testing.T) {
	testdevice.NeedsFloat64(t)
	fine := problem(learn.SGD{}, 0.1)
	bad := func(change func(*learn.Trainer)) error {
		tr := problem(learn.SGD{}, 0.1)
		change(tr)
		return tr.Run(t.Context(), 200)
	}
	for want, err := range map[string]error{
		"needs Loss":               bad(func(tr *learn.Trainer) { tr.Loss = nil }),
		"nothing to train":         bad(func(tr *learn.Trainer) { tr.Params = nil }),
		"names of their own":       bad(func(tr *learn.Trainer) { tr.Params[1].Name = "w" }),
		"parameter w: nd: reshape": bad(func(tr *learn.Trainer) { tr.Params[0].Value = tr.Params[0].Value.Reshape(3) }),
		"want one element":         bad(func(tr *learn.Trainer) { tr.Loss = func(_ int, p []*nd.Array) *nd.Array { return p[0] } }),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	var diverged *learn.DivergedError
	if err := bad(func(tr *learn.Trainer) { tr.Rate = learn.Constant(1e9) }); !errors.As(err, &diverged) {
		t.Errorf("a rate of 1e9: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := fine.Run(ctx, 3); !errors.Is(err, context.Canceled) || fine.Steps() != 0 {
		t.Errorf("cancelled: %v after %d steps", err, fine.Steps())
	}
}

func TestErrorsNameTheCaller(t *testing.T) {
	tr := problem(learn.Adam{}, 0.05)
	tr.Loss = func(_ int, p []*nd.Array) *nd.Array { return p[0].MulScalar(2) } // not a number
	_, err := tr.Step(t.Context())
	var e *nd.OpError
	if !errors.As(err, &e) || !strings.Contains(e.Site, "learn_test.go:") {
		t.Errorf("%v: want this file", err)
	}
}

func TestHooks(t *testing.T) {
	testdevice.NeedsFloat64(t)
	var b bytes.Buffer
	tr := problem(learn.Adam{}, 0.05)
	stop := func(e learn.Event) error {
		if e.Step == 4 {
			return learn.ErrStop
		}
		return nil
	}
	if err := tr.Run(t.Context(), 5, learn.LogTo(&b), stop); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	var e learn.Event
	if err := json.Unmarshal([]byte(lines[3]), &e); err != nil || len(lines) != 4 || e.Step != 4 || e.Rate != 0.05 || !(e.Loss > 0) {
		t.Errorf("%d lines, the last %+v, %v", len(lines), e, err)
	}
}
