package learn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/twiddle-go/twiddle/audio/safetensors"
	"github.com/twiddle-go/twiddle/nd"
)

// The names that checkpoints use besides those of parameters.
const (
	formatKey    = "format"
	formatName   = "twiddle.learn 1"
	stepKey      = "step"
	optimizerKey = "optimizer"
	complexKey   = "complex" // which tensors are complex, as a JSON list of names
	paramPrefix  = "param."
	statePrefix  = "state."
)

// Save writes the parameters, the optimizer's state and the number of steps to
// a safetensors file, which is either complete or as it was before.
func (t *Trainer) Save(ctx context.Context, name string) error {
	if err := t.check(); err != nil {
		return err
	}
	var w tensorWriter
	for _, p := range t.Params {
		w.add(ctx, paramPrefix+p.Name, p.Value)
	}
	for i, s := range t.state {
		w.add(ctx, statePrefix+strconv.Itoa(i), s)
	}
	if w.err != nil {
		return fmt.Errorf("learn: save: %w", w.err)
	}
	list, err := json.Marshal(w.complex)
	if err != nil {
		return fmt.Errorf("learn: save: %w", err)
	}
	return safetensors.WriteFile(name, &safetensors.File{Tensors: w.tensors, Metadata: map[string]string{
		formatKey: formatName, stepKey: strconv.Itoa(t.step), optimizerKey: optimizerName(t.Optimizer), complexKey: string(list),
	}})
}

func optimizerName(o Optimizer) string { return fmt.Sprintf("%T", o) }

// Load goes on from a file that Save wrote for the same parameters and
// optimizer, on the device that the parameters are on. On an error nothing has
// changed.
func (t *Trainer) Load(name string) error {
	if err := t.check(); err != nil {
		return err
	}
	f, err := safetensors.ReadFile(name)
	if err != nil {
		return fmt.Errorf("learn: load: %w", err)
	}
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("learn: load %s: %s", name, fmt.Sprintf(format, args...))
	}
	if got := f.Metadata[formatKey]; got != formatName {
		return wrong("format %q, want %q: this is no checkpoint", got, formatName)
	}
	if got, want := f.Metadata[optimizerKey], optimizerName(t.Optimizer); got != want {
		return wrong("saved with %s, not %s", got, want)
	}
	step, err := strconv.Atoi(f.Metadata[stepKey])
	if err != nil || step < 0 {
		return wrong("%q is no number of steps", f.Metadata[stepKey])
	}
	device, err := t.Params[0].Value.Device()
	if err != nil {
		return wrong("%v", err)
	}
	r := tensorReader{file: f, device: device}
	if err := json.Unmarshal([]byte(f.Metadata[complexKey]), &r.complex); err != nil {
		return wrong("list of complex tensors: %v", err)
	}
	var saved []string
	for _, tensor := range f.Tensors {
		if name, ok := strings.CutPrefix(tensor.Name, paramPrefix); ok {
			saved = append(saved, name)
		}
	}
	params := slices.Clone(t.Params)
	extra := slices.Clone(saved)
	for _, p := range params {
		at := slices.Index(extra, p.Name)
		if at < 0 {
			return wrong("there is no parameter %q: it has %q", p.Name, saved)
		}
		extra = slices.Delete(extra, at, at+1)
	}
	if len(extra) > 0 {
		return wrong("it has %q, which the trainer has not", extra)
	}
	for i, p := range params {
		a, err := r.array(paramPrefix + p.Name)
		if err != nil {
			return wrong("%v", err)
		}
		if a.DType() != p.Value.DType() || !slices.Equal(a.Shape(), p.Value.Shape()) {
			return wrong("%s is %s %v, want %s %v", p.Name, a.DType(), a.Shape(), p.Value.DType(), p.Value.Shape())
		}
		params[i].Value = a
	}
	var state []*nd.Array
	for range len(f.Tensors) - len(params) {
		a, err := r.array(statePrefix + strconv.Itoa(len(state)))
		if err != nil {
			return wrong("%v", err)
		}
		state = append(state, a)
	}
	t.Params, t.state, t.step = params, state, step
	return nil
}

// SaveEvery is a hook of Run that saves to a file after every so many steps.
func (t *Trainer) SaveEvery(ctx context.Context, name string, steps int) func(Event) error {
	return func(e Event) error {
		if e.Step%max(steps, 1) != 0 {
			return nil
		}
		return t.Save(ctx, name)
	}
}

// tensorWriter turns arrays into tensors. Complex numbers become pairs of
// reals along a new last axis: the format has no complex128.
type tensorWriter struct {
	tensors []safetensors.Tensor
	complex []string
	err     error
}

func (w *tensorWriter) add(ctx context.Context, name string, a *nd.Array) {
	if w.err != nil {
		return
	}
	if a.DType().IsComplex() {
		w.complex = append(w.complex, name)
		re, im := a.Real(), a.Imag()
		a = nd.Stack(a.NDim(), re, im)
	}
	var t safetensors.Tensor
	switch a.DType() {
	case nd.Float32:
		t, w.err = tensor[float32](ctx, name, a)
	case nd.Float64:
		t, w.err = tensor[float64](ctx, name, a)
	default:
		w.err = errors.Join(a.Err(), fmt.Errorf("%s is %s, want a float of 32 or 64 bits or complex numbers of them", name, a.DType()))
	}
	w.tensors = append(w.tensors, t)
}

func tensor[T float32 | float64](ctx context.Context, name string, a *nd.Array) (safetensors.Tensor, error) {
	v, err := nd.Slice[T](ctx, a)
	if err != nil {
		return safetensors.Tensor{}, err
	}
	t, err := safetensors.From(name, v)
	t.Shape = a.Shape() // none for a scalar, which From would take for not given
	return t, err
}

// tensorReader is the reverse.
type tensorReader struct {
	file    *safetensors.File
	device  *nd.Device
	complex []string
}

func (r tensorReader) array(name string) (*nd.Array, error) {
	t, ok := r.file.Tensor(name)
	if !ok {
		return nil, fmt.Errorf("there is no %q", name)
	}
	var a *nd.Array
	switch t.DType {
	case "F32":
		v, err := safetensors.Values[float32](t)
		if err != nil {
			return nil, err
		}
		a = nd.From(v, t.Shape...)
	case "F64":
		v, err := safetensors.Values[float64](t)
		if err != nil {
			return nil, err
		}
		a = nd.From(v, t.Shape...)
	default:
		return nil, fmt.Errorf("%q is %s, want F32 or F64", name, t.DType)
	}
	if len(t.Shape) == 0 {
		a = a.Reshape()
	}
	if slices.Contains(r.complex, name) {
		last := a.NDim() - 1
		if a.NDim() == 0 || a.Dim(last) != 2 {
			return nil, fmt.Errorf("%q has shape %v, want pairs of a real and an imaginary part", name, t.Shape)
		}
		part := func(i int) *nd.Array { return a.SliceAxis(last, nd.Range{Start: i, Stop: i + 1}).Squeeze(last) }
		a = nd.Complex(part(0), part(1))
	}
	if r.device != nd.CPU() {
		a = a.On(r.device.Stream())
	}
	return a, a.Err()
}
