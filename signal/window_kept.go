package signal

import "sync"

// windowShape is a window as it is computed: one of windows, symmetric.
type windowShape struct {
	kind, samples int
	param         float64
}

// keptSamples bounds what is kept of windows: 8 MiB.
const keptSamples = 1 << 20

// made keeps windows. A loop computes with the same few in every turn, and a
// cosine for each sample would be a good part of the time that a graph takes to
// build.
var made = kept{windows: map[windowShape][]float64{}}

type kept struct {
	mu      sync.Mutex
	windows map[windowShape][]float64
	samples int
}

// get is a window, not to be written to.
func (k *kept) get(s windowShape) []float64 {
	k.mu.Lock()
	w, ok := k.windows[s]
	k.mu.Unlock()
	if ok {
		return w
	}
	w = windows[s.kind].make(s.samples, s.param)
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, ok := k.windows[s]; ok || len(w) > keptSamples {
		return w
	}
	if k.samples+len(w) > keptSamples {
		clear(k.windows)
		k.samples = 0
	}
	k.windows[s] = w
	k.samples += len(w)
	return w
}
