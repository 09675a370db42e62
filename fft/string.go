package fft

import "fmt"

// String is what the plan is for, and its recipe: fft of 8 complex64: direct 8.
func (p *Plan[C]) String() string {
	if p == nil || p.transform == nil {
		return "no plan"
	}
	return fmt.Sprintf("fft of %d %T: %s", p.n, *new(C), p.Recipe())
}

// String is what the plan is for, and its recipe: fft of 16 float32: direct 8.
func (p *RealPlan[R, C]) String() string {
	if p == nil || p.real == nil {
		return "no plan"
	}
	return fmt.Sprintf("fft of %d %T: %s", p.n, *new(R), p.Recipe())
}

// String is what the plan is for: fft of [8 16] complex64.
func (p *NDPlan[C]) String() string {
	return fmt.Sprintf("fft of %v %T", p.shape, *new(C))
}

// String is what the plan is for: fft of 128 float32, to bins of [8 9].
func (p *RealNDPlan[R, C]) String() string {
	return fmt.Sprintf("fft of %d %T, to bins of %v", p.size, *new(R), p.shape)
}

// String is what the plan is for: DCT-II of 8 float32.
func (p *TrigPlan[R]) String() string {
	return fmt.Sprintf("%v of %d %T", p.kind, p.n, *new(R))
}
