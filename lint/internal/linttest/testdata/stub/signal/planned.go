package signal

import "github.com/twiddle-go/twiddle/nd"

// Declarations that the real package does not have yet. When it has, they
// move to signal.go, where they are compared with it.

type Window struct {
	Name      string
	Symmetric bool
}

func (w Window) Array(t nd.DType, n int) *nd.Array

type STFT struct {
	N, Hop int
	Window Window
}

func (s STFT) Apply(x *nd.Array) *nd.Array

type Welch struct {
	Segment int
	Window  Window
}

func (w Welch) Apply(x *nd.Array) *nd.Array

func Hann(n int, symmetric bool) *nd.Array
