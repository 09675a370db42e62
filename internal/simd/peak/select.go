package peak

import "math/bits"

// Each calls do with every selected maximum.
func (f *Finder) Each(do func(i int)) {
	for w, rest := range f.Selected {
		for ; rest != 0; rest &= rest - 1 {
			do(64*w + bits.TrailingZeros64(rest))
		}
	}
}

// Keep takes those maxima out of the selected for which stays is false.
func (f *Finder) Keep(stays func(i int) bool) {
	f.Each(func(i int) {
		if !stays(i) {
			f.Selected[i/64] &^= 1 << (i % 64)
		}
	})
}

// KeepBetween is Keep for values of the maxima from low to high.
func (f *Finder) KeepBetween(values []float64, low, high float64) {
	if len(f.At) > 0 {
		f.between(f.Selected, values[:len(f.At)], low, high)
	}
}

// Count is how many maxima are selected.
func (f *Finder) Count() int { return count(f.Selected) }

func count(set []uint64) int {
	n := 0
	for _, w := range set {
		n += bits.OnesCount64(w)
	}
	return n
}

// Places puts the places of the selected in dst, which has room for Slack more.
func (f *Finder) Places(dst []int) {
	if len(f.At) > 0 {
		f.places(dst, f.At, f.Selected)
	}
}

// Values puts values of the selected maxima in dst, which has room for Slack more.
func (f *Finder) Values(dst, values []float64) {
	if len(f.At) > 0 {
		f.pack(dst, values[:len(f.At)], f.Selected)
	}
}

// PlacesOfBases puts the bases of the selected in two slices as Places does.
func (f *Finder) PlacesOfBases(left, right []int) {
	if len(f.At) > 0 {
		f.kernels.bases(left, right, f.Bases, f.Selected)
	}
}

// between is kernels.between.
func between(set []uint64, values []float64, low, high float64) {
	for w := range set {
		var inside uint64
		for i, v := range values[64*w : min(64*w+64, len(values))] {
			inside |= uint64(bit(v >= low)&bit(v <= high)) << i
		}
		set[w] &= inside
	}
}

// pack is kernels.pack.
func pack(dst, values []float64, set []uint64) {
	n := 0
	for i, v := range values {
		dst[n] = v
		n += int(set[i/64] >> (i % 64) & 1)
	}
}

// places is kernels.places.
func places(dst []int, values []int32, set []uint64) {
	n := 0
	for i, v := range values {
		dst[n] = int(v)
		n += int(set[i/64] >> (i % 64) & 1)
	}
}

// basesOf is kernels.bases.
func basesOf(left, right []int, values []Bases, set []uint64) {
	n := 0
	for i, v := range values {
		left[n], right[n] = int(v.Left), int(v.Right)
		n += int(set[i/64] >> (i % 64) & 1)
	}
}
