package jobs

import (
	"context"
	"runtime"

	"github.com/twiddle-go/twiddle/fleet/internal/parallel"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/outer"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
)

// group is the spectra of a group of bins, and the products of two channels with
// those that follow them.
type group struct {
	spectra       *outer.Spectra
	first, second []complex64 // channels, groupBins
}

func (h *hostStack) newGroup() *group {
	return &group{outer.NewSpectra(h.channels, h.waiting), make([]complex64, h.channels*groupBins), make([]complex64, h.channels*groupBins)}
}

// multiply adds the cross-spectra of the windows that wait to the stacks.
func (h *hostStack) multiply(ctx context.Context) error {
	if h.waiting == 0 {
		return nil
	}
	err := parallel.Each(ctx, runtime.GOMAXPROCS(0), h.groups(), h.newGroup, nil, func(g *group, i int) error {
		at := i * groupBins
		for w := range h.waiting {
			h.kernels.Gather(g.spectra, w, h.rows[(h.start+w*h.channels)*h.stride+at:], h.stride)
		}
		for a := 0; a < h.channels; a += 2 {
			h.products(g, a, at)
		}
		return nil
	})
	h.stacked, h.waiting = true, 0
	return err
}

// products adds those of channels a and a+1 with all that follow to the stacks.
// conj(A) B has the phase of a delay of B.
func (h *hostStack) products(g *group, a, bin int) {
	h.kernels.Rows(g.first, g.second, g.spectra, a)
	rows := [2][]complex64{g.first, g.second}
	add := vec.For(simd.Active()).C64.Add.VV
	for r := range rows[:min(2, h.channels-a)] {
		for b := h.first(a + r); b < h.channels; b++ {
			product := rows[r][(b-a)*groupBins:][:groupBins]
			stack := h.rows[h.pair(a+r, b)*h.stride+bin:][:groupBins]
			if h.stacked {
				add(stack, stack, product, false)
			} else {
				copy(stack, product)
			}
		}
	}
}
