package butterfly

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/twiddle-go/twiddle/audio/safetensors"
)

// The names in files. Complex numbers are pairs of reals along a last axis.
const (
	formatKey     = "format"
	networkFormat = "twiddle.butterfly 1"
	growthFormat  = "twiddle.butterfly.growth 1"
	formKey       = "form"
	seedKey       = "seed"
	transformKey  = "transform"
	blocksName    = "blocks" // (factors, 2, 2, n/2, 2)
	levelName     = "level"  // (matrices, size, size, 2)
)

// About says what a network was trained for.
type About struct {
	Transform Transform
	Seed      uint64 // of the training, and of the filter of Conv
}

// Save writes the network to a safetensors file.
func (n *Network) Save(name string, about About) error {
	return n.write(name, networkFormat, map[string]string{
		transformKey: string(about.Transform), seedKey: strconv.FormatUint(about.Seed, 10),
	})
}

func (n *Network) write(name, format string, metadata map[string]string, more ...safetensors.Tensor) error {
	form, err := json.Marshal(n.Form)
	if err != nil {
		return fmt.Errorf("butterfly: save: %w", err)
	}
	metadata[formatKey], metadata[formKey] = format, string(form)
	blocks, err := safetensors.From(blocksName, pairs(n.W), len(n.Spans), 2, 2, n.N/2, 2)
	if err != nil {
		return fmt.Errorf("butterfly: save: %w", err)
	}
	return safetensors.WriteFile(name, &safetensors.File{Tensors: append([]safetensors.Tensor{blocks}, more...), Metadata: metadata})
}

// Load reads a network that Save wrote.
func Load(name string) (*Network, About, error) {
	n, f, err := read(name, networkFormat)
	if err != nil {
		return nil, About{}, err
	}
	t, err := ParseTransform(f.Metadata[transformKey])
	if err != nil {
		return nil, About{}, fmt.Errorf("butterfly: load %s: %w", name, err)
	}
	seed, err := strconv.ParseUint(f.Metadata[seedKey], 10, 64)
	if err != nil {
		return nil, About{}, fmt.Errorf("butterfly: load %s: seed: %w", name, err)
	}
	return n, About{t, seed}, nil
}

func read(name, format string) (*Network, *safetensors.File, error) {
	f, err := safetensors.ReadFile(name)
	if err != nil {
		return nil, nil, fmt.Errorf("butterfly: load: %w", err)
	}
	wrong := func(err error) (*Network, *safetensors.File, error) {
		return nil, nil, fmt.Errorf("butterfly: load %s: %w", name, err)
	}
	if got := f.Metadata[formatKey]; got != format {
		return wrong(fmt.Errorf("format %q, want %q: this file is something else", got, format))
	}
	var form Form
	if err := json.Unmarshal([]byte(f.Metadata[formKey]), &form); err != nil {
		return wrong(fmt.Errorf("form: %w", err))
	}
	n, err := NewNetwork(form)
	if err != nil {
		return wrong(err)
	}
	blocks, err := numbers(f, blocksName, len(n.W))
	if err != nil {
		return wrong(err)
	}
	n.W = blocks
	return n, f, nil
}

// numbers reads a tensor of count complex numbers.
func numbers(f *safetensors.File, name string, count int) ([]complex128, error) {
	t, ok := f.Tensor(name)
	if !ok {
		return nil, fmt.Errorf("there is no %q", name)
	}
	v, err := safetensors.Values[float64](t)
	if err != nil {
		return nil, err
	}
	if len(v) != 2*count {
		return nil, fmt.Errorf("%q has shape %v, want %d complex numbers", name, t.Shape, count)
	}
	out := make([]complex128, count)
	for i := range out {
		out[i] = complex(v[2*i], v[2*i+1])
	}
	return out, nil
}

func pairs(v []complex128) []float64 {
	out := make([]float64, 0, 2*len(v))
	for _, z := range v {
		out = append(out, real(z), imag(z))
	}
	return out
}

// saveGrowth writes the factors that are there and the matrices that are left.
func (n *Network) saveGrowth(name string, seed uint64, level []Matrix) error {
	size := level[0].N
	var all []complex128
	for _, m := range level {
		all = append(all, m.Data...)
	}
	t, err := safetensors.From(levelName, pairs(all), len(level), size, size, 2)
	if err != nil {
		return fmt.Errorf("butterfly: checkpoint: %w", err)
	}
	return n.write(name, growthFormat, map[string]string{seedKey: strconv.FormatUint(seed, 10)}, t)
}

// loadGrowth is the reverse, for a network of the same form.
func (n *Network) loadGrowth(name string, seed uint64) ([]Matrix, error) {
	old, f, err := read(name, growthFormat)
	if err != nil {
		return nil, err
	}
	if !old.Form.equal(n.Form) {
		return nil, fmt.Errorf("butterfly: resume %s: it is of another form: n %d, %d factors", name, old.N, len(old.Spans))
	}
	if got := f.Metadata[seedKey]; got != strconv.FormatUint(seed, 10) {
		return nil, fmt.Errorf("butterfly: resume %s: seed %s, want %d", name, got, seed)
	}
	t, ok := f.Tensor(levelName)
	if !ok || len(t.Shape) != 4 || t.Shape[1] < 2 || t.Shape[0]*t.Shape[1] != n.N || t.Shape[1] != t.Shape[2] {
		return nil, fmt.Errorf("butterfly: resume %s: level of shape %v for n %d", name, t.Shape, n.N)
	}
	size := t.Shape[1]
	all, err := numbers(f, levelName, n.N*size)
	if err != nil {
		return nil, fmt.Errorf("butterfly: resume %s: %w", name, err)
	}
	copy(n.W, old.W)
	level := make([]Matrix, n.N/size)
	for i := range level {
		level[i] = Matrix{size, all[i*size*size:][:size*size]}
	}
	return level, nil
}
