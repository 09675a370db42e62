package main

import (
	"context"
	"math"
	"math/bits"
	"math/cmplx"

	"github.com/twiddle-go/twiddle/internal/timing"
	"github.com/twiddle-go/twiddle/kernels"
	"github.com/twiddle-go/twiddle/nd"
)

// speed times the variants, a textbook FFT and the engine's.
func (r *evalFFTReport) speed(ctx context.Context, dev *nd.Device, kind nd.DType, weights []*nd.Array, forms []nd.Butterfly) error {
	x := nd.Normal(1, nd.Float32, r.Lines, r.N).Cast(kind)
	in, err := operandsOn(ctx, dev, append([]*nd.Array{x, x.Cast(nd.Complex64)}, weights...)...)
	if err != nil {
		return err
	}
	x, z, weights := in[0], in[1], in[2:]
	var failed error
	eval := func(make func() *nd.Array) func(int) {
		return func(reps int) {
			for range reps {
				y := make()
				if err := nd.Eval(ctx, y); err != nil && failed == nil {
					failed = err
				}
				y.Release()
			}
		}
	}
	var list []timing.Contender
	for i, w := range weights {
		list = append(list, timing.Contender{Name: r.Variants[i].Name, Run: eval(func() *nd.Array { return x.Butterfly(w, forms[i]) })})
	}
	list = append(list, timing.Contender{Name: "fft", Run: eval(func() *nd.Array { return z.FFT() })})
	switch {
	case dev == nd.CPU():
		text, line := newRadix2(r.N), make([]complex64, r.N)
		list = append(list, timing.Contender{Name: "radix-2", Run: func(reps int) {
			for range reps * r.Lines {
				text.transform(line)
			}
		}})
	case r.N == 1024:
		list = append(list, timing.Contender{Name: "radix-2", Run: eval(func() *nd.Array { return kernels.FFTRadix2(z) })})
	}
	ns, err := timing.Compare(ctx, timing.Options{}, list...)
	if err == nil {
		err = failed
	}
	if err != nil {
		return err
	}
	per := float64(r.Lines)
	for i := range r.Variants {
		r.Variants[i].NS = ns[i] / per
	}
	if r.FFTNS = ns[len(weights)] / per; len(ns) > len(weights)+1 {
		r.Radix2NS = ns[len(weights)+1] / per
	}
	return nil
}

// radix2 is the FFT of textbooks, in plain Go: what a learned transform is
// measured against.
type radix2 struct {
	reversal []int
	twiddles []complex64 // exp(-2 pi i k / n) for k < n/2
}

func newRadix2(n int) radix2 {
	r := radix2{reversal: make([]int, n), twiddles: make([]complex64, n/2)}
	for i := range r.reversal {
		r.reversal[i] = int(bits.Reverse(uint(i)) >> (bits.UintSize - bits.Len(uint(n-1))))
	}
	for k := range r.twiddles {
		r.twiddles[k] = complex64(cmplx.Exp(complex(0, -2*math.Pi*float64(k)/float64(n))))
	}
	return r
}

func (r radix2) transform(x []complex64) {
	n := len(x)
	for i, j := range r.reversal {
		if i < j {
			x[i], x[j] = x[j], x[i]
		}
	}
	for h := 1; h < n; h *= 2 {
		step := n / (2 * h)
		for b := 0; b < n; b += 2 * h {
			lo, hi := x[b:b+h], x[b+h:b+2*h]
			for k, u := range lo {
				v := hi[k] * r.twiddles[k*step]
				lo[k], hi[k] = u+v, u-v
			}
		}
	}
}
