package butterfly

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"os"

	"github.com/twiddle-go/twiddle/learn"
	"github.com/twiddle-go/twiddle/nd"
)

// Joint trains all factors of a network together, with Adam and then with
// L-BFGS. A single form may start anywhere; a double one needs a start that is
// not too far off, or else ends in a local minimum for all but the shortest
// lengths, where Grow does not. Zeros stand for the usual choice.
type Joint struct {
	Seed    uint64
	Adam    int        // steps; 0 is 300, less than 0 none
	LBFGS   int        // steps; 0 is 500, less than 0 none
	Rate    float64    // of Adam; 0 is 0.01
	Target  float64    // the root mean square error to end at; 0 is 1e-12, of Single 1e-6
	Single  bool       // train in single precision, for devices without float64
	Samples int        // train on so many random signals; 0 trains on the matrix itself
	Device  *nd.Device // nil is the CPU
	Hook    func(phase string, e learn.Event) error
	// Checkpoint, if not empty, is a file that is written every so many steps;
	// Resume goes on from it. The phases have files of their own.
	Checkpoint string
	Every      int
	Resume     bool
}

// Train gives the trained network.
func (j Joint) Train(ctx context.Context, m Matrix, start *Network) (*Network, error) {
	if start == nil {
		return nil, errors.New("butterfly: no network to start from")
	}
	if err := start.check(); err != nil {
		return nil, err
	}
	kind, goal := nd.Complex128, 1e-12
	switch {
	case j.Single && start.Real:
		kind, goal = nd.Float32, 1e-6
	case j.Single:
		kind, goal = nd.Complex64, 1e-6
	case start.Real:
		kind = nd.Float64
	}
	if j.Target > 0 {
		goal = j.Target
	}
	x, y := j.data(m, start.Real)
	x, y = placed(j.Device, x.Cast(kind)), placed(j.Device, y.Cast(kind))
	w := placed(j.Device, start.Weights(kind))
	for _, p := range []struct {
		name      string
		steps     int
		usual     int
		optimizer learn.Optimizer
		rate      learn.Schedule
	}{
		{phases[0], j.Adam, 300, learn.Adam{}, learn.Cosine(j.rate(), 0, 300)},
		{phases[1], j.LBFGS, 500, learn.LBFGS{Memory: 20}, learn.Constant(1)},
	} {
		steps := p.steps
		if steps == 0 {
			steps = p.usual
		}
		t := &learn.Trainer{
			Params: []learn.Param{{Name: "blocks", Value: w}}, Optimizer: p.optimizer, Rate: p.rate,
			Loss: func(_ int, v []*nd.Array) *nd.Array {
				return x.Butterfly(placed(j.Device, v[0]), start.options()).Sub(y).AbsSquared().Mean()
			},
		}
		if err := j.resume(t, p.name); err != nil {
			return nil, err
		}
		if !j.isOver(p.name) {
			if err := t.Run(ctx, steps, j.hooks(ctx, t, p.name, goal)...); err != nil {
				return nil, err
			}
			if j.Checkpoint != "" {
				if err := t.Save(ctx, j.file(p.name)); err != nil {
					return nil, err
				}
			}
		}
		w = t.Params[0].Value
	}
	values, err := nd.Slice[complex128](ctx, w.On(nd.CPU().Stream()).Cast(nd.Complex128))
	if err != nil {
		return nil, err
	}
	return &Network{Form: start.Form, W: values}, nil
}

func (j Joint) rate() float64 {
	if j.Rate <= 0 {
		return 0.01
	}
	return j.Rate
}

func (j Joint) file(phase string) string { return j.Checkpoint + "." + phase }

// resume goes on from a phase's checkpoint, or clears what an earlier training
// left. The second phase need not have begun.
func (j Joint) resume(t *learn.Trainer, phase string) error {
	if j.Checkpoint == "" {
		return nil
	}
	if !j.Resume {
		if err := os.Remove(j.file(phase)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	err := t.Load(j.file(phase))
	if phase != phases[0] && errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// phases are the parts of a training, in order.
var phases = [...]string{"adam", "lbfgs"}

// isOver reports a phase that the training to be resumed had left behind.
func (j Joint) isOver(phase string) bool {
	if !j.Resume || phase == phases[1] {
		return false
	}
	_, err := os.Stat(j.file(phases[1]))
	return err == nil
}

// hooks are what a phase does after each step.
func (j Joint) hooks(ctx context.Context, t *learn.Trainer, phase string, goal float64) []func(learn.Event) error {
	watch := func(e learn.Event) error {
		if j.Hook != nil {
			if err := j.Hook(phase, e); err != nil {
				return err
			}
		}
		if e.Loss <= goal*goal {
			return learn.ErrStop
		}
		return nil
	}
	if j.Checkpoint == "" {
		return []func(learn.Event) error{watch}
	}
	return []func(learn.Event) error{t.SaveEvery(ctx, j.file(phase), max(j.Every, 1)), watch}
}

// placed is an array on the device that a training runs on; what was read from a
// checkpoint is still on the CPU.
func placed(d *nd.Device, a *nd.Array) *nd.Array {
	if d == nil {
		return a
	}
	return a.On(d.Stream())
}

// data is lines and what they should become: the columns of the identity and of
// the matrix, or random signals and their transforms. Either way the mean
// squared error of the result is that of the matrix, on average.
func (j Joint) data(m Matrix, real bool) (x, y *nd.Array) {
	t := nd.From(m.Data, m.N, m.N).Transpose()
	if j.Samples > 0 {
		key := nd.Key(j.Seed).Fold(0x73616d70)
		x = nd.Normal(key, nd.Float64, j.Samples, m.N)
		if !real {
			x = nd.Complex(x, nd.Normal(key.Fold(1), nd.Float64, j.Samples, m.N)).MulScalar(math.Sqrt(0.5))
		}
		x = x.MulScalar(1 / math.Sqrt(float64(m.N)))
		y = x.Cast(nd.Complex128).MatMul(t)
	} else {
		x, y = nd.Eye(nd.Complex128, m.N), t
	}
	if real {
		x, y = x.Cast(nd.Float64), y.Real()
	}
	return x, y
}
