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

type Pipeline struct {
	Conv    Conv
	Streams int
}

func (p Pipeline) Apply(x, k *nd.Array) *nd.Array
func (p Pipeline) Bands(x *nd.Array) int
