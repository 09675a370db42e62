package order

import (
	"math/bits"
	"slices"
)

// quick is a quicksort whose partitions and last steps are vector kernels.
type quick[K Key] struct {
	// partition moves keys below the pivot to the front. It takes a network's worth of keys
	// or more, and as much room.
	partition func(keys *K, n int, pivot K, room *K) (below int)
	// networks sort a few keys each, twice as many as the one before: the first of them few.
	networks []func(keys *K, n int)
	few      int
}

// most is how many keys the last network sorts.
func (q *quick[K]) most() int { return q.few << (len(q.networks) - 1) }

// network sorts up to most keys.
func (q *quick[K]) network(keys []K) {
	if n := len(keys); n > 0 {
		q.networks[bits.Len(uint(n-1)/uint(q.few))](&keys[0], n)
	}
}

func (q *quick[K]) sort(keys []K, keep int) {
	// Pivots halve a part on average; after twice as many halvings as that takes, the keys
	// are of a kind to be sorted by another way.
	var room []K
	if len(keys) > q.most() {
		room = make([]K, q.most())
	}
	q.part(keys, keep, 2*bits.Len(uint(len(keys))), room)
}

func (q *quick[K]) part(keys []K, keep, depth int, room []K) {
	for len(keys) > q.most() && keep > 0 {
		if depth == 0 {
			slices.Sort(keys)
			return
		}
		depth--
		pivot, often := q.pivot(keys, room)
		below := q.partition(&keys[0], len(keys), pivot, &room[0])
		q.part(keys[:below], min(keep, below), depth, room)
		keys, keep = keys[below:], keep-below
		if (often || below == 0) && len(keys) > q.most() && keep > 0 { // all like the pivot are in place
			if pivot+1 == 0 {
				return
			}
			like := q.partition(&keys[0], len(keys), pivot+1, &room[0])
			keys, keep = keys[like:], keep-like
		}
	}
	if keep > 0 {
		q.network(keys)
	}
}

// sampled is how many keys a pivot is the median of, where no more are worth their time.
const sampled = 32

// pivot is a median of some keys, which says whether there are likely more like it.
func (q *quick[K]) pivot(keys, sample []K) (pivot K, often bool) {
	if len(keys) < 1<<15 {
		sample = sample[:sampled]
	}
	step := len(keys) / len(sample)
	for i := range sample {
		sample[i] = keys[i*step+step/2]
	}
	q.network(sample)
	middle := len(sample) / 2
	pivot = sample[middle]
	return pivot, pivot == sample[middle-1] || pivot == sample[middle+1]
}
