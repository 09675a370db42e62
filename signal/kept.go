package signal

import (
	"cmp"
	"sync"
)

// keptSamples bounds what is kept of one kind, unless it says otherwise: 8 MiB of float64.
const keptSamples = 1 << 20

// kept is values that are computed once. A loop computes with the same few
// windows in every turn, and a cosine for each sample, or only a copy, would be a
// good part of the time that a graph takes to build. What is kept is not to be
// written to.
type kept[K comparable, V any] struct {
	make    func(K) (V, error)
	samples func(V) int // that it holds
	most    int         // samples that are kept; 0 is keptSamples

	mu     sync.Mutex
	values map[K]V
	held   int // samples
}

func (k *kept[K, V]) get(key K) (V, error) {
	k.mu.Lock()
	v, ok := k.values[key]
	k.mu.Unlock()
	if ok {
		return v, nil
	}
	v, err := k.make(key)
	if err != nil {
		return v, err
	}
	n, most := k.samples(v), cmp.Or(k.most, keptSamples)
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, ok := k.values[key]; ok || n > most {
		return v, nil
	}
	if k.values == nil || k.held+n > most {
		k.values, k.held = map[K]V{}, 0
	}
	k.values[key] = v
	k.held += n
	return v, nil
}
