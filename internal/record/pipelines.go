package main

import (
	"fmt"

	"github.com/twiddle-go/twiddle/kernels"
	"github.com/twiddle-go/twiddle/learn/butterfly"
	"github.com/twiddle-go/twiddle/linalg"
	"github.com/twiddle-go/twiddle/loss"
	"github.com/twiddle-go/twiddle/mixer"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// pipelines has what 'twiddle bench conv' and 'twiddle bench fusion' measure, and
// other chains of stages over lines.
func (r *recorder) pipelines() []testcase {
	var cases []testcase
	for _, mode := range []signal.Mode{signal.Circular, signal.Causal, signal.Full, signal.Same, signal.Valid} {
		for _, n := range []int{64, 500, 1024, 4096, 20000} {
			x, k := r.floats(71, 2, 6, n), r.floats(72, 6, min(n, 1024))
			cases = append(cases,
				one(fmt.Sprintf("conv/%v %d", mode, n), func() *nd.Array { return signal.Conv{Mode: mode}.Apply(x, k) }),
				lazy(fmt.Sprintf("conv/gradients %v %d", mode, n), func() []*nd.Array { return withGradients(signal.Conv{Mode: mode}.Apply(x, k), x, k) }))
		}
	}
	x, k := r.floats(73, 2, 6, 512), r.floats(74, 6, 512)
	in, out, bias, skip := r.floats(75, 2, 6, 512), r.floats(76, 2, 6, 512), r.floats(77, 6), r.floats(78, 6)
	gated := signal.Conv{Mode: signal.Causal, Bias: bias, Skip: skip, InGate: in, OutGate: out}
	cases = append(cases,
		lazy("conv/gated", func() []*nd.Array { return withGradients(gated.Apply(x, k), x, k, in, out, bias, skip) }),
		one("conv/streams", func() *nd.Array { return signal.Pipeline{Conv: gated, Streams: 2}.Apply(x, k) }))
	for _, n := range []int{64, 256, 1024, 2048} {
		for _, segments := range []int{1, 2, 8} {
			line := r.floats(uint64(80+n), 9, n+(segments-1)*n/2)
			cases = append(cases, one(fmt.Sprintf("fusion/topbins %d x %d", segments, n), func() *nd.Array {
				return signal.TopBins{N: n, Segments: segments, K: 16}.Apply(line)
			}))
		}
	}
	s := r.floats(90, 3, 9000)
	for _, average := range []signal.Averaging{signal.Mean, signal.Median} {
		cases = append(cases, one(fmt.Sprintf("fusion/welch %v", average), func() *nd.Array {
			return signal.Welch(s, signal.Spectral{Average: average}).Array
		}))
	}
	cases = append(cases,
		one("fusion/periodogram", func() *nd.Array { return signal.Periodogram(s).Array }),
		one("fusion/coherence", func() *nd.Array { return signal.Coherence(s, r.floats(91, 3, 9000)).Array }),
		one("fusion/envelope", func() *nd.Array { return signal.Envelope(s) }),
		one("fusion/resample", func() *nd.Array { return signal.Resample{N: 5000}.Apply(s) }))
	for _, f := range []signal.STFT{{NFFT: 64, Hop: 1}, {NFFT: 64, Hop: 16}, {NFFT: 512, Hop: 128}, signal.Librosa(1024, 256), signal.SciPy(300, 150, 512)} {
		name := fmt.Sprintf("%d %d", f.NFFT, f.Hop)
		short := s.SliceAxis(1, nd.Range{Stop: 3000})
		cases = append(cases,
			lazy("fusion/stft "+name, func() []*nd.Array { return withGradients(f.Apply(short).Abs().AddScalar(1).Log(), s) }),
			lazy("fusion/stft there and back "+name, func() []*nd.Array {
				return withGradients(f.Inverse(f.Apply(short).MulScalar(0.5), signal.Inverse{Masked: true}), s)
			}))
	}
	cases = append(cases, one("fusion/mel", func() *nd.Array { return signal.Mel{FS: 22050}.Spectrogram(s) }))
	return cases
}

// losses has what 'twiddle bench loss' measures, and the other losses.
func (r *recorder) losses() []testcase {
	var cases []testcase
	for _, l := range []struct {
		name  string
		of    func(x, y *nd.Array) *nd.Array
		shape []int
	}{
		{"frame", loss.Frame{}.Of, []int{3000}},
		{"frame items", loss.Frame{Size: 64}.Of, []int{3, 900}},
		{"frame 32 hop 8", loss.Frame{Size: 32, Hop: 8}.Of, []int{2, 1500}},
		{"frame log", loss.Frame{Size: 64, Scale: loss.Log}.Of, []int{2, 700}},
		{"multi-resolution", loss.MultiResolutionSTFT{}.Of, []int{2, 12000}},
		{"stft", loss.STFT{}.Of, []int{2, 9000}},
		{"multi-scale", loss.MultiScale{}.Of, []int{2, 9000}},
		{"mel", loss.Mel{Bands: signal.Mel{FS: 22050}}.Of, []int{2, 9000}},
		{"esr", loss.ESR{}.Of, []int{2, 5000}},
		{"sdr", loss.SDR{}.Of, []int{2, 5000}},
		{"si-sdr", loss.SISDR{}.Of, []int{2, 5000}},
		{"log cosh", loss.LogCosh{}.Of, []int{2, 5000}},
		{"dc", loss.DC{}.Of, []int{2, 5000}},
	} {
		x, y := r.floats(101, l.shape...), r.floats(102, l.shape...)
		cases = append(cases, lazy("loss/"+l.name, func() []*nd.Array {
			value, grads := nd.ValueAndGrad(l.of(x, nd.StopGradient(y)), x)
			return append(grads, value)
		}))
	}
	return cases
}

// mixers has what 'twiddle bench mixer' measures.
func (r *recorder) mixers() []testcase {
	var cases []testcase
	for i, b := range []mixer.Block{{Width: 16, Length: 128}, {Width: 12, Length: 200, Bidirectional: true}, {Width: 16, Length: 1024, Residual: true}} {
		cases = append(cases, testcase{fmt.Sprintf("mixer/%d", i), func() ([]*nd.Array, error) {
			params, err := b.Init(1)
			if err != nil {
				return nil, err
			}
			all := []*nd.Array{r.floats(111, 2, b.Length, b.Width)}
			for _, p := range params {
				all = append(all, p.Value.On(r.device.Stream()))
			}
			r.stored(all...)
			return withGradients(b.Apply(all[1:], all[0]), all...), nil
		}})
	}
	return cases
}

// factorisations has what 'twiddle bench linalg' measures, smaller.
func (r *recorder) factorisations() []testcase {
	a, square := r.floats(121, 200, 48), r.floats(122, 24, 24)
	positive := square.MatMul(square.Transpose()).Add(nd.Eye(nd.Float32, 24).On(r.device.Stream()))
	return []testcase{
		lazy("linalg/qr", func() []*nd.Array { q, r := linalg.QR(a); return []*nd.Array{q, r} }),
		lazy("linalg/qr wide", func() []*nd.Array { q, r := linalg.QR(a.Cast(nd.Float64)); return []*nd.Array{q, r} }),
		{"linalg/top svd", func() ([]*nd.Array, error) {
			t, err := linalg.TopSVD(r.ctx, a, 8)
			if err != nil {
				return nil, err
			}
			return []*nd.Array{t.U, t.S, t.V}, nil
		}},
		{"linalg/svd", func() ([]*nd.Array, error) {
			u, s, v, err := linalg.SVD(r.ctx, square)
			return []*nd.Array{u, s, v}, err
		}},
		{"linalg/eigh", func() ([]*nd.Array, error) { w, v, err := linalg.Eigh(r.ctx, positive); return []*nd.Array{w, v}, err }},
		{"linalg/cholesky", func() ([]*nd.Array, error) { l, err := linalg.Cholesky(r.ctx, positive); return []*nd.Array{l}, err }},
		{"linalg/solve", func() ([]*nd.Array, error) {
			x, err := linalg.Solve(r.ctx, square, r.floats(123, 24, 3))
			return []*nd.Array{x}, err
		}},
		one("linalg/toeplitz", func() *nd.Array { return linalg.ToeplitzMul(r.floats(124, 50), r.floats(125, 50), r.floats(126, 50)) }),
		one("linalg/det", func() *nd.Array { return linalg.Det(square) }),
	}
}

// kernels has custom kernels, and learned transforms with their gradients.
func (r *recorder) kernels() []testcase {
	x, w := r.floats(131, 4, 256), r.floats(132, 4, 3)
	cases := []testcase{
		one("kernel/row sum", func() *nd.Array { return kernels.RowSum(x) }),
		one("kernel/matmul", func() *nd.Array { return kernels.MatMul(r.floats(133, 64, 48), r.floats(134, 48, 64), kernels.Square) }),
		one("kernel/exp", func() *nd.Array { return kernels.Exp(x) }),
		one("kernel/exact dot", func() *nd.Array { return kernels.ExactDot(x.Flatten(), x.Flatten().Flip(0)) }),
		one("kernel/fft", func() *nd.Array { return kernels.FFTRadix2(r.complexes(138, 3, 1024)) }),
		one("kernel/fft 4", func() *nd.Array { return kernels.FFTRadix4(r.complexes(138, 3, 1024)) }),
		one("kernel/short conv", func() *nd.Array { return kernels.ShortConv(r.floats(139, 2, 4, 256), w, true) }),
	}
	for _, n := range []int{16, 64, 256} {
		cases = append(cases, testcase{fmt.Sprintf("learned/dft %d", n), func() ([]*nd.Array, error) {
			network, err := butterfly.Exact(butterfly.DFT, n, 1)
			if err != nil {
				return nil, err
			}
			z := r.complexes(135, 5, n)
			return withGradients(network.Apply(z), z), nil
		}})
		cases = append(cases, lazy(fmt.Sprintf("learned/gradients %d", n), func() []*nd.Array {
			factors := 0
			for m := n; m > 1; m /= 2 {
				factors++
			}
			a, weights := r.floats(136, 7, n), r.floats(137, factors, 2, 2, n/2)
			return withGradients(a.Mul(a).Butterfly(weights).Tanh(), a, weights)
		}))
	}
	return cases
}
