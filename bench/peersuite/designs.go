package main

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// bands is edges in pairs, with gains and weights.
func (r *request) bands() (pairs [][2]float64, gains, weights []float64, err error) {
	var lists [3][]float64
	for i := range lists {
		if lists[i], err = r.floats(i); err != nil {
			return nil, nil, nil, err
		}
	}
	if len(lists[0])%2 != 0 {
		return nil, nil, nil, fmt.Errorf("%d edges", len(lists[0]))
	}
	for k := 0; k < len(lists[0]); k += 2 {
		pairs = append(pairs, [2]float64(lists[0][k:k+2]))
	}
	return pairs, lists[1], lists[2], nil
}

func remez(r *request) ([]*nd.Array, error) {
	bands, gains, weights, err := r.bands()
	if err != nil {
		return nil, err
	}
	kind, err := signal.ParseRemezKind(r.text("kind"))
	if err != nil {
		return nil, err
	}
	h, err := signal.Remez{Bands: bands, Desired: gains, Weights: weights, Kind: kind, FS: r.number("fs"), Density: r.int("density")}.Taps(r.int("n"))
	if err != nil {
		return nil, err
	}
	return one(nd.From(h))
}

func firls(r *request) ([]*nd.Array, error) {
	bands, gains, weights, err := r.bands()
	if err != nil {
		return nil, err
	}
	l := signal.LeastSquares{Bands: bands, Weights: weights, FS: r.number("fs")}
	for k := 0; k+2 <= len(gains); k += 2 {
		l.Desired = append(l.Desired, [2]float64(gains[k:k+2]))
	}
	h, err := l.Taps(r.int("n"))
	if err != nil {
		return nil, err
	}
	return one(nd.From(h))
}

func polynomials(f signal.TF, err error) ([]*nd.Array, error) {
	if err != nil {
		return nil, err
	}
	return []*nd.Array{nd.From(f.B), nd.From(f.A)}, nil
}

func comb(r *request) ([]*nd.Array, error) {
	return polynomials(signal.Comb{Frequency: r.number("frequency"), Quality: r.number("quality"), FS: r.number("fs"), Keep: r.flag("keep"), PassZero: r.flag("passzero")}.TF())
}

func notch(r *request) ([]*nd.Array, error) {
	if r.flag("keep") {
		return polynomials(signal.Peak(r.number("frequency"), r.number("quality"), r.number("fs")))
	}
	return polynomials(signal.Notch(r.number("frequency"), r.number("quality"), r.number("fs")))
}
