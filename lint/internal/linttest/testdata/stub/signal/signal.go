// Package signal has the declarations of the real signal that tests of the
// passes use.
package signal

import (
	"context"

	"github.com/twiddle-go/twiddle/nd"
)

type Mode uint8

const (
	Circular Mode = iota
	Causal
	Full
	Same
	Valid
)

type Conv struct {
	Mode    Mode
	Bias    *nd.Array
	Skip    *nd.Array
	InGate  *nd.Array
	OutGate *nd.Array
	Block   int
}

func (c Conv) Apply(x, k *nd.Array) *nd.Array
func (c Conv) Stream(k *nd.Array) (*Stream, error)

type Stream struct{ _ int }

func (s *Stream) Push(ctx context.Context, x *nd.Array) (*nd.Array, error)

type Window struct {
	Name      string
	Param     float64
	Symmetric bool
}

func CustomWindow(samples []float64) Window
func (w Window) Array(t nd.DType, n int) *nd.Array

type STFT struct {
	NFFT, Hop, WinLength int
	Window               Window
}

func (s STFT) Apply(x *nd.Array) *nd.Array

type Spectral struct {
	FS     float64
	Window Window
}

type Spectrum struct {
	*nd.Array
	Frequencies []float64
}

func Welch(x *nd.Array, opt ...Spectral) Spectrum

type Pipeline struct {
	Conv    Conv
	Streams int
}

func (p Pipeline) Apply(x, k *nd.Array) *nd.Array
func (p Pipeline) Bands(x *nd.Array) int
