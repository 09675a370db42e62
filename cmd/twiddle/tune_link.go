package main

import "github.com/twiddle-go/twiddle/nd"

// Sizes of copies, in bytes: nothing, what one core copies, and what several do.
var linkSizes = [...]int{4, 1 << 20, 8 << 20, 64 << 20}

// copying finds how copies from arrays of the CPU to the device, and from there to
// slices, go: what computing takes longer with them than without. Beside what computing takes
// on a software adapter copies are nothing, so there they are timed by themselves.
func (m *measuring) copying() error {
	there, back := [len(linkSizes)]float64{}, [len(linkSizes)]float64{}
	for i, bytes := range linkSizes {
		host := nd.Uniform(1, nd.Float32, bytes/4)
		if err := nd.Eval(m.ctx, host); err != nil {
			return err
		}
		x := host.On(m.dev.Stream())
		if err := nd.Eval(m.ctx, x); err != nil {
			return err
		}
		out := make([]float32, bytes/4)
		var err error
		if there[i], err = m.longer(func() error {
			moved := host.On(m.dev.Stream())
			if moved != host {
				defer moved.Release()
			}
			if m.software {
				return nd.Eval(m.ctx, moved)
			}
			return evaluated(m.ctx, moved.Sum())
		}, func() *nd.Array { return x.Sum() }); err != nil {
			return err
		}
		if back[i], err = m.longer(func() error {
			if m.software {
				return nd.Read(m.ctx, out, x)
			}
			y := x.AddScalar(1)
			defer y.Release()
			return nd.Read(m.ctx, out, y)
		}, func() *nd.Array { return x.AddScalar(1) }); err != nil {
			return err
		}
		if x != host {
			x.Release()
		}
		host.Release()
	}
	fixed := back[0]
	if m.gpu {
		fixed = max((there[0]-m.figures["sync_ns"]+back[0])/2, 1) // waiting for a copy is counted by itself
		start, rate := lineThrough(linkSizes[2], there[2]-there[0], linkSizes[3], there[3]-there[0])
		m.figures["link_bytes_per_ns"], m.figures["link_start_ns"] = rate, start
	}
	start, rate := lineThrough(linkSizes[2], back[2]-back[0], linkSizes[3], back[3]-back[0])
	m.figures["link_back_bytes_per_ns"] = rate
	m.figures["link_start_ns"] = max(m.figures["link_start_ns"], start)
	m.figures["link_ns"] = max(fixed, 1)
	m.figures["link_core_bytes_per_ns"] = float64(linkSizes[1]) / max(back[1]-back[0], 1)
	return nil
}

// longer is how much longer something takes than evaluating an array, at least 1 ns; of a
// software adapter what it takes at all.
func (m *measuring) longer(do func() error, than func() *nd.Array) (float64, error) {
	with, err := m.timed(do)
	if err != nil || m.software {
		return with, err
	}
	without, err := m.ns(than)
	return max(with-without, 1), err
}

// lineThrough is the time at 0 bytes, and the bytes per ns, of a line through two
// measurements.
func lineThrough(bytes1 int, ns1 float64, bytes2 int, ns2 float64) (start, rate float64) {
	rate = float64(bytes2-bytes1) / max(ns2-ns1, 1)
	return max(ns1-float64(bytes1)/rate, 1), rate
}
