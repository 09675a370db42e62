package signal

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/nd"
)

// spread is Apply over several devices.
func (p Pipeline) spread(x, k *nd.Array, channels int) *nd.Array {
	fail := func(err error) *nd.Array { return nd.Fail("signal", pipelineOp, err, x, k) }
	if p.Streams != 0 {
		return fail(fmt.Errorf("both Devices and Streams %d: each device has one stream here", p.Streams))
	}
	home, err := x.Device()
	if err != nil {
		return fail(err)
	}
	var speeds []float64
	for i, d := range p.Devices {
		if d == nil {
			return fail(fmt.Errorf("device %d is nil", i))
		}
		c, err := nd.Choose([]*nd.Device{d}, p.Conv.Apply(x, k))
		if err != nil {
			return fail(err)
		}
		speeds = append(speeds, 1/max(c.Candidates[0].PredictedNs, 1))
	}
	var parts []*nd.Array
	first := 0
	for i, n := range shares(channels, speeds) {
		if n > 0 {
			y := p.band(x, k, nd.Range{Start: first, Stop: first + n}, p.Devices[i].Stream())
			parts = append(parts, y.On(home.Stream()))
		}
		first += n
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return nd.Concat(-2, parts...)
}

// shares deals out n things by speed: whole numbers that are as near as such can
// be, and add up to n.
func shares(n int, speeds []float64) []int {
	total := 0.0
	for _, s := range speeds {
		total += s
	}
	out := make([]int, len(speeds))
	rest := make([]float64, len(speeds))
	order := make([]int, len(speeds))
	left := n
	for i, s := range speeds {
		due := float64(n) * s / total
		out[i], order[i] = int(due), i
		rest[i] = due - float64(out[i])
		left -= out[i]
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rest[b], rest[a]) })
	for _, i := range order[:left] {
		out[i]++
	}
	return out
}
