package learn

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/nd"
)

// Param is an array that training changes. It is of a float or complex type.
type Param struct {
	Name  string // of checkpoints
	Value *nd.Array
}

// Named is parameters by their names.
type Named map[string]*nd.Array

// Trainer changes parameters step by step.
type Trainer struct {
	Params []Param
	// Loss is the number to make small, as a graph of the parameters, which
	// come in the order of Params. The step tells batches and keys apart. A lazy array
	// that it uses in two steps, such as features of all the data, is computed once more
	// and then kept.
	Loss func(step int, params []*nd.Array) *nd.Array
	// NamedLoss is the same with the parameters by their names; it is used if Loss is
	// nil. A name that no parameter has gives a nil array, and that the loss an error.
	//
	//	NamedLoss: func(step int, p learn.Named) *nd.Array {
	//		return x.MatMul(p["weight"]).Add(p["bias"]).Sub(y).AbsSquared().Mean()
	//	}
	NamedLoss func(step int, p Named) *nd.Array
	Optimizer Optimizer
	Rate      Schedule
	Clip      Clip

	step    int
	state   []*nd.Array
	repeats nd.Repeats
}

// Point is where an optimizer stands before a step.
type Point struct {
	Step   int // from 0
	Rate   float64
	Params []*nd.Array
	State  []*nd.Array // what the optimizer's last step gave; nil before the first
	// Loss gives the loss at any parameters, and its gradients, clipped.
	Loss func(params []*nd.Array) (loss *nd.Array, grads []*nd.Array)
}

// evaluate is Loss at the parameters. An optimizer is called by others than
// Train, too, so it does not trust what it is given.
func (at Point) evaluate() (loss *nd.Array, grads []*nd.Array, err error) {
	if at.Loss == nil {
		return nil, nil, errors.New("learn: step: no loss")
	}
	loss, grads = at.Loss(at.Params)
	switch n := len(at.Params); {
	case len(grads) != n:
		return nil, nil, fmt.Errorf("learn: step: %s of %s", counted.Of(len(grads), "gradient"), counted.Of(n, "parameter"))
	case at.State != nil && len(at.State) < n:
		return nil, nil, fmt.Errorf("learn: step: a state of %s for %s", counted.Of(len(at.State), "array"), counted.Of(n, "parameter"))
	}
	return loss, grads, loss.Err()
}

// Move is the outcome of a step: the loss in front of it, and parameters and
// state behind it, evaluated.
type Move struct {
	Loss          float64
	Params, State []*nd.Array
}

// Optimizer computes the steps of a training. An optimizer is a value without memory:
// everything that it keeps from earlier steps is in the state.
type Optimizer interface {
	Step(ctx context.Context, at Point) (Move, error)
}

// Event is the report of a step.
type Event struct {
	Step    int     `json:"step"` // from 1
	Loss    float64 `json:"loss"` // before the step
	Rate    float64 `json:"rate"`
	Seconds float64 `json:"seconds"` // since Run began
}

// Value is the parameter of a name as it is now, or nil.
func (t *Trainer) Value(name string) *nd.Array {
	for _, p := range t.Params {
		if p.Name == name {
			return p.Value
		}
	}
	return nil
}

// ErrStop is for hooks of Run: training ends without an error.
var ErrStop = errors.New("learn: stop")

// ErrConverged is wrapped by the error of an optimizer that finds no better
// parameters. Run ends without an error.
var ErrConverged = errors.New("no step makes the loss smaller")

// DivergedError is a loss that is not a number any more. The parameters are
// those in front of the step.
type DivergedError struct {
	Step int
	Loss float64
}

func (e *DivergedError) Error() string {
	return fmt.Sprintf("learn: step %d: the loss is %g", e.Step, e.Loss)
}

// Steps is how many steps were made, including those before a checkpoint.
func (t *Trainer) Steps() int { return t.step }

// Step makes one step.
func (t *Trainer) Step(ctx context.Context) (Event, error) {
	if err := t.check(); err != nil {
		return Event{}, err
	}
	rate := t.Rate(t.step)
	params := t.Values()
	at := Point{Step: t.step, Rate: rate, Params: params, State: t.state}
	at.Loss = func(p []*nd.Array) (*nd.Array, []*nd.Array) {
		loss := t.loss(p)
		if again := t.repeats.Of(loss, p...); len(again) > 0 {
			//twiddle:ignore TW003 where there is no room to keep them, they are computed in every step
			_ = nd.Eval(ctx, again...)
		}
		loss, grads := nd.ValueAndGrad(loss, p...)
		return loss, t.Clip.apply(grads)
	}
	m, err := t.Optimizer.Step(ctx, at)
	if err != nil {
		return Event{Step: t.step + 1, Loss: m.Loss, Rate: rate}, fmt.Errorf("learn: step %d: %w", t.step+1, err)
	}
	if math.IsNaN(m.Loss) || math.IsInf(m.Loss, 0) {
		return Event{}, &DivergedError{Step: t.step + 1, Loss: m.Loss}
	}
	for i := range t.Params {
		t.Params[i].Value = m.Params[i]
	}
	t.state = m.State
	t.step++
	return Event{Step: t.step, Loss: m.Loss, Rate: rate}, nil
}

// loss is the loss at parameters.
func (t *Trainer) loss(params []*nd.Array) *nd.Array {
	if t.Loss != nil {
		return t.Loss(t.step, params)
	}
	named := make(Named, len(params))
	for i, p := range params {
		named[t.Params[i].Name] = p
	}
	return t.NamedLoss(t.step, named)
}

// Run makes steps until there were steps of them, counting those before a
// checkpoint, calls every hook after each, and ends early when a hook gives
// ErrStop or the optimizer ErrConverged.
func (t *Trainer) Run(ctx context.Context, steps int, hooks ...func(Event) error) error {
	start := time.Now()
	for t.step < steps {
		e, err := t.Step(ctx)
		if errors.Is(err, ErrConverged) {
			return nil
		}
		if err != nil {
			return err
		}
		e.Seconds = time.Since(start).Seconds()
		for _, hook := range hooks {
			if err := hook(e); err != nil {
				if errors.Is(err, ErrStop) {
					return nil
				}
				return err
			}
		}
	}
	return nil
}

// Values are the parameters as they are now, in the order of Params.
func (t *Trainer) Values() []*nd.Array {
	list := make([]*nd.Array, len(t.Params))
	for i, p := range t.Params {
		list[i] = p.Value
	}
	return list
}

func (t *Trainer) check() error {
	if t.Loss == nil && t.NamedLoss == nil || t.Optimizer == nil || t.Rate == nil {
		return errors.New("learn: a trainer needs Loss or NamedLoss, Optimizer and Rate")
	}
	if len(t.Params) == 0 {
		return errors.New("learn: nothing to train")
	}
	seen := map[string]bool{}
	for i, p := range t.Params {
		if p.Name == "" || seen[p.Name] {
			return fmt.Errorf("learn: parameter %d is called %q: want names of their own", i, p.Name)
		}
		seen[p.Name] = true
		if err := p.Value.Err(); err != nil {
			return fmt.Errorf("learn: parameter %s: %w", p.Name, err)
		}
	}
	return nil
}
