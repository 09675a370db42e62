package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/linalg"
	"github.com/twiddle-go/twiddle/loss"
	"github.com/twiddle-go/twiddle/mixer"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// costCase is work that one of the other verbs measures.
type costCase struct {
	verb, name string
	elements   int // of its largest operand
	prepare    func(ctx context.Context, dev *nd.Device) (costWork, error)
}

// costWork is work that is ready to run.
type costWork struct {
	once func() error
	// profile is what plans say of it; nil where plans follow from results, so that only
	// launches can tell.
	profile func() (nd.Profile, error)
}

// costCases are the rows that bench conv, fusion, loss, mixer and linalg print if nothing
// else is asked for, and the same for smaller work; for a GPU for larger work, too. Of a
// software adapter they are the small ones: others would take it hours.
func costCases(dev *nd.Device) []costCase {
	const small = 1 << 19
	gpu := dev != nd.CPU()
	all := slices.Concat(convCosts(gpu), fusionCosts(gpu), lossCosts(gpu), mixerCosts(gpu), linalgCosts(gpu, dev.Has(nd.Float64)))
	return slices.DeleteFunc(all, func(c costCase) bool { return dev.Info().Software && c.elements > small })
}

// arraysCost is the case of arrays that build makes of evaluated inputs.
func arraysCost(verb, name string, elements int, inputs func() ([]*nd.Array, error), build func(in []*nd.Array) []*nd.Array) costCase {
	return costCase{verb, name, elements, func(ctx context.Context, dev *nd.Device) (w costWork, err error) {
		in, err := inputs()
		if err != nil {
			return w, err
		}
		if in, err = operandsOn(ctx, dev, in...); err != nil {
			return w, err
		}
		// Compiled: the model is about devices, not about building graphs.
		compiled := nd.Compile(func(in ...*nd.Array) []*nd.Array { return build(slices.Clone(in)) })
		w.profile = func() (nd.Profile, error) {
			plan, err := nd.Explain(build(slices.Clone(in))...)
			if err != nil {
				return nd.Profile{}, err
			}
			return plan.Profile, nil
		}
		w.once = func() error {
			out, err := compiled.Call(ctx, in...)
			if err == nil {
				err = nd.Eval(ctx, out...)
			}
			return released(out, err)
		}
		return w, nil
	}}
}

// normals are inputs of such shapes.
func normals(shapes ...[]int) func() ([]*nd.Array, error) {
	return func() ([]*nd.Array, error) {
		var in []*nd.Array
		for i, s := range shapes {
			in = append(in, nd.Normal(nd.Key(i+1), nd.Float32, s...))
		}
		return in, nil
	}
}

func convCosts(gpu bool) []costCase {
	var out []costCase
	conv := func(mode signal.Mode, streams int, shape ...int) {
		name := fmt.Sprintf("%s convolution %s", mode, shapeText(shape))
		if streams > 0 {
			name += fmt.Sprintf(", streams %d", streams)
		}
		out = append(out, arraysCost("conv", name, elementsOf(shape), normals(shape, shape[1:]), func(in []*nd.Array) []*nd.Array {
			return []*nd.Array{signal.Pipeline{Conv: signal.Conv{Mode: mode}, Streams: streams}.Apply(in[0], in[1])}
		}))
	}
	for _, mode := range []signal.Mode{signal.Circular, signal.Causal} {
		for _, shape := range [][]int{{8, 64, 1024}, {8, 64, 4096}, {1, 8, 65536}} {
			conv(mode, 0, shape...)
		}
	}
	if !gpu {
		for _, streams := range []int{1, 2, 4} {
			conv(signal.Causal, streams, 8, 64, 1024)
		}
		return out
	}
	shape := []int{8, 64, 1024}
	out = append(out, arraysCost("conv", "causal convolution "+shapeText(shape)+" with bias", elementsOf(shape), normals(shape, shape[1:], shape[1:2]),
		func(in []*nd.Array) []*nd.Array {
			return []*nd.Array{signal.Conv{Mode: signal.Causal, Bias: in[2]}.Apply(in[0], in[1])}
		}))
	conv(signal.Circular, 0, 64, 768, 1024)
	conv(signal.Causal, 0, 64, 768, 4096)
	conv(signal.Causal, 0, 16, 768, 16384)
	return out
}

func fusionCosts(gpu bool) []costCase {
	r := fusionRequest{nfft: 256, segments: 2, k: 16}
	var out []costCase
	for _, batch := range []int{32, 512, 8192} {
		for i, phase := range r.phases(nil, nil) {
			out = append(out, costCase{"fusion", fmt.Sprintf("welch with peaks %dx%dx%d, %s", batch, r.segments, r.nfft, phase.name), batch * r.samples(),
				func(ctx context.Context, dev *nd.Device) (w costWork, err error) {
					at := r
					at.device, at.seed = dev, 1
					x, window, err := at.operands(ctx, batch)
					if err != nil {
						return w, err
					}
					p := &at.phases(x, window)[i]
					profile, err := p.profile(ctx)
					if err != nil {
						return w, err
					}
					w.profile = func() (nd.Profile, error) { return profile.Profile, nil }
					w.once = func() error { return p.compute(ctx) }
					return w, nil
				}})
		}
		if gpu {
			out = append(out, r.truePeaks(batch))
		}
	}
	if gpu {
		out = append(out, fusionRequest{nfft: 256, segments: 8, k: 16}.truePeaks(65536))
	}
	return out
}

// truePeaks is the fused computation that is timed by itself on GPUs.
func (r fusionRequest) truePeaks(batch int) costCase {
	window := signal.Window{}.Array(nd.Float32, r.nfft)
	return arraysCost("fusion", fmt.Sprintf("welch with true peaks %dx%dx%d", batch, r.segments, r.nfft), batch*r.samples(),
		func() ([]*nd.Array, error) {
			return []*nd.Array{nd.Normal(1, nd.Float32, batch, r.samples()), window}, nil
		},
		func(in []*nd.Array) []*nd.Array { return []*nd.Array{r.peaks(in[0], in[1])} })
}

func lossCosts(gpu bool) []costCase {
	var out []costCase
	spectral := func(name string, l interface {
		Of(x, y *nd.Array) *nd.Array
	}, shape ...int) {
		out = append(out, arraysCost("loss", fmt.Sprintf("%s loss %s with gradient", name, shapeText(shape)), elementsOf(shape), normals(shape, shape),
			func(in []*nd.Array) []*nd.Array {
				v, g := nd.ValueAndGrad(l.Of(in[0], nd.StopGradient(in[1])), in[0])
				return []*nd.Array{v, g[0]}
			}))
	}
	spectral("frame", loss.Frame{Size: 64}, 16384)
	spectral("frame", loss.Frame{Size: 64}, 131072)
	spectral("multi-resolution", loss.MultiResolutionSTFT{}, 4, 44100)
	spectral("multi-resolution", loss.MultiResolutionSTFT{}, 16, 44100)
	if gpu {
		spectral("frame", loss.Frame{Size: 64}, 1<<22)
	}
	return out
}

func mixerCosts(gpu bool) []costCase {
	var out []costCase
	mix := func(batch, length, width int) {
		block := mixer.Block{Width: width, Length: length}
		inputs := func() ([]*nd.Array, error) {
			in := []*nd.Array{nd.Normal(2, nd.Float32, batch, length, width)}
			params, err := block.Init(1)
			for _, p := range params {
				in = append(in, p.Value)
			}
			return in, err
		}
		for _, what := range mixerKinds {
			out = append(out, arraysCost("mixer", fmt.Sprintf("mixer %dx%dx%d, %s", batch, length, width, what), batch*length*width, inputs,
				func(in []*nd.Array) []*nd.Array { return mixerWork(block, what, in) }))
		}
	}
	mix(4, 512, 64)
	mix(8, 1024, 128)
	if gpu {
		mix(16, 4096, 256)
	}
	return out
}

// linalgCosts leaves factorisations out where there is no float64, which they need.
func linalgCosts(gpu, wide bool) []costCase {
	var out []costCase
	product := func(m, n int) {
		out = append(out, arraysCost("linalg", fmt.Sprintf("product %dx%dx%d", m, n, m), m*n, normals([]int{m, n}, []int{n, m}),
			func(in []*nd.Array) []*nd.Array { return []*nd.Array{in[0].MatMul(in[1])} }))
	}
	qr := func(m, n int) {
		out = append(out, arraysCost("linalg", fmt.Sprintf("qr %dx%d", m, n), m*n, normals([]int{m, n}), func(in []*nd.Array) []*nd.Array {
			q, r := linalg.QR(in[0])
			return []*nd.Array{q, r}
		}))
	}
	values := func(name string, decompose func(ctx context.Context, a *nd.Array) ([]*nd.Array, error), m, n int) {
		out = append(out, costCase{"linalg", fmt.Sprintf("%s %dx%d", name, m, n), m * n, func(ctx context.Context, dev *nd.Device) (w costWork, err error) {
			a := nd.Normal(1, nd.Float32, m, n).On(dev.Stream())
			w.once = func() error { return released(decompose(ctx, a)) }
			return w, nd.Eval(ctx, a)
		}})
	}
	product(512, 64)
	product(2048, 2048)
	if gpu {
		product(4096, 256)
	}
	if !wide {
		return out
	}
	qr(512, 64)
	qr(4096, 512)
	values("top 32 svd", func(ctx context.Context, a *nd.Array) ([]*nd.Array, error) { return topSVD(ctx, a, 32) }, 4096, 512)
	values("svd", fullSVD, 128, 128)
	if gpu {
		qr(4096, 256)
	}
	return out
}
