package vorbis

import (
	"errors"
	"fmt"
	"math/bits"
)

// longestBlock is the most samples of a channel in a block (Vorbis I, 4.2.2).
const longestBlock = 8192

// maxEntries and maxValues bound a codebook. Those of libvorbis have some thousands of
// entries and some ten thousands of values; the format has room for 2^24 and 2^40.
const (
	maxEntries = 1 << 18
	maxValues  = 1 << 22
)

// bitReader reads numbers of the least significant bits first (Vorbis I, 2). Past the
// end, it gives zeros and says so.
type bitReader struct {
	data  []byte
	at    int
	ended bool
}

func (r *bitReader) read(n int) int {
	v := 0
	for i := range n {
		if r.at>>3 >= len(r.data) {
			r.ended = true
			return 0
		}
		v |= int(r.data[r.at>>3]>>(r.at&7)&1) << i
		r.at++
	}
	return v
}

// checkSetup reads the codebooks of a setup header (Vorbis I, 3.2.1) for their sizes,
// which a decoder makes room for before it sees that the packet ends.
func checkSetup(b []byte) error {
	r := &bitReader{data: b}
	values := 0
	for i := range r.read(8) + 1 {
		n, err := checkCodebook(r)
		if err != nil {
			return fmt.Errorf("codebook %d: %w", i, err)
		}
		if values += n; values > maxValues {
			return fmt.Errorf("codebook %d: more than %d values", i, maxValues)
		}
	}
	return nil
}

func checkCodebook(r *bitReader) (values int, err error) {
	if r.read(24) != 0x564342 {
		return 0, errors.New("it does not begin with BCV")
	}
	dimensions, entries := r.read(16), r.read(24)
	if dimensions < 1 || entries < 1 || entries > maxEntries || dimensions > maxValues/entries {
		return 0, fmt.Errorf("%d entries of %d dimensions", entries, dimensions)
	}
	if r.read(1) == 0 {
		sparse := r.read(1) == 1
		for range entries {
			if !sparse || r.read(1) == 1 {
				r.read(5)
			}
		}
	} else {
		r.read(5)
		for done := 0; done < entries; {
			n := r.read(bits.Len(uint(entries - done)))
			if done += n; done > entries || r.ended {
				return 0, errors.New("lengths of more entries than there are")
			}
		}
	}
	lookup := r.read(4)
	switch {
	case r.ended:
		return 0, errors.New("the packet ends")
	case lookup == 0:
		return 0, nil
	case lookup > 2:
		return 0, fmt.Errorf("a lookup of type %d", lookup)
	}
	r.read(31) // of two numbers of 32 bits
	r.read(31)
	r.read(2)
	width, count := r.read(4)+1, entries*dimensions
	r.read(1)
	if lookup == 1 {
		count = root(entries, dimensions)
	}
	if r.at += width * count; r.ended || r.at > 8*len(r.data) {
		return 0, errors.New("the packet ends")
	}
	return entries * dimensions, nil
}

// root is the largest number whose power is not more than n.
func root(n, power int) int {
	r := 1
	for {
		product := 1
		for range power {
			if product *= r + 1; product > n {
				return r
			}
		}
		r++
	}
}
