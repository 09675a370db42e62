// Package fft has the declarations of the real fft that tests of the passes
// use.
package fft

type Complex interface{ complex64 | complex128 }
type Float interface{ float32 | float64 }
type Norm int

const (
	NormBackward Norm = iota
	NormOrtho
	NormForward
)

type Options struct {
	Norm    Norm
	Threads int
}

type Plan[C Complex] struct{ _ C }
type RealPlan[R Float, C Complex] struct {
	_ R
	_ C
}

func NewPlan[C Complex](n int, o ...Options) (*Plan[C], error)                     { panic("stub") }
func (p *Plan[C]) Forward(dst, src []C) error                                      { panic("stub") }
func (p *Plan[C]) Inverse(dst, src []C) error                                      { panic("stub") }
func NewRealPlan[R Float, C Complex](n int, o ...Options) (*RealPlan[R, C], error) { panic("stub") }
func (p *RealPlan[R, C]) Forward(dst []C, src []R) error                           { panic("stub") }
func (p *RealPlan[R, C]) Inverse(dst []R, src []C) error                           { panic("stub") }
func Forward[C Complex](dst, src []C) ([]C, error)                                 { panic("stub") }
func Inverse[C Complex](dst, src []C) ([]C, error)                                 { panic("stub") }
