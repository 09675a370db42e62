package fft

import (
	"fmt"
	"sync"
)

// cached are the plans of the functions below, which have none from the
// caller.
var cached = struct {
	mu    sync.Mutex
	plans map[planKey]any
}{plans: map[planKey]any{}}

// planKey is a plan's type, as a nil pointer to it, and its length.
type planKey struct {
	kind any
	n    int
}

// mostCached bounds what a program that never repeats a length can pile up.
const mostCached = 64

// cachedPlan is the plan of that length, made if there is none yet.
func cachedPlan[P any](n int, build func(n int, o ...Options) (*P, error)) (*P, error) {
	key := planKey{(*P)(nil), n}
	cached.mu.Lock()
	p, ok := cached.plans[key].(*P)
	cached.mu.Unlock()
	if ok {
		return p, nil
	}
	p, err := build(n)
	if err != nil {
		return nil, err
	}
	cached.mu.Lock()
	defer cached.mu.Unlock()
	if len(cached.plans) >= mostCached {
		for k := range cached.plans {
			delete(cached.plans, k)
			break
		}
	}
	cached.plans[key] = p
	return p, nil
}

// Forward transforms src into dst and returns dst; a nil dst is allocated. It
// is for occasional use: plans are kept, but looking one up costs as much as a
// short transform.
func Forward[C Complex](dst, src []C) ([]C, error) {
	p, err := cachedPlan(len(src), NewPlan[C])
	if err != nil {
		return nil, err
	}
	if dst == nil {
		dst = make([]C, len(src))
	}
	return dst, p.Forward(dst, src)
}

// Inverse transforms src back into dst, divided by its length, and returns
// dst; a nil dst is allocated.
func Inverse[C Complex](dst, src []C) ([]C, error) {
	p, err := cachedPlan(len(src), NewPlan[C])
	if err != nil {
		return nil, err
	}
	if dst == nil {
		dst = make([]C, len(src))
	}
	return dst, p.Inverse(dst, src)
}

// RealForward transforms n real samples into n/2+1 bins and returns dst; a nil
// dst is allocated, but has to be typed: []complex64(nil) for float32 samples,
// []complex128(nil) for float64.
func RealForward[R Float, C Complex](dst []C, src []R) ([]C, error) {
	p, err := cachedPlan(len(src), NewRealPlan[R, C])
	if err != nil {
		return nil, err
	}
	if dst == nil {
		dst = make([]C, p.Bins())
	}
	return dst, p.Forward(dst, src)
}

// RealInverse transforms bins back into real samples, divided by their number,
// and returns dst. There are as many samples as dst has elements, which have to
// go with the bins; a nil dst is allocated for the even one of the two possible
// numbers.
func RealInverse[R Float, C Complex](dst []R, src []C) ([]R, error) {
	if dst == nil {
		if len(src) < 2 {
			return nil, fmt.Errorf("fft: real inverse: %d bins do not make an even number of samples: pass dst", len(src))
		}
		dst = make([]R, 2*(len(src)-1))
	}
	p, err := cachedPlan(len(dst), NewRealPlan[R, C])
	if err != nil {
		return nil, err
	}
	return dst, p.Inverse(dst, src)
}
