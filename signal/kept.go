package signal

import "sync"

// keptSamples bounds what is kept of one kind: 8 MiB of float64.
const keptSamples = 1 << 20

// kept is values that are computed once. A loop computes with the same few
// windows in every turn, and a cosine for each sample, or only a copy, would be a
// good part of the time that a graph takes to build. What is kept is not to be
// written to.
type kept[K comparable, V any] struct {
	make    func(K) (V, error)
	samples func(V) int // that it holds

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
	n := k.samples(v)
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, ok := k.values[key]; ok || n > keptSamples {
		return v, nil
	}
	if k.values == nil || k.held+n > keptSamples {
		k.values, k.held = map[K]V{}, 0
	}
	k.values[key] = v
	k.held += n
	return v, nil
}
