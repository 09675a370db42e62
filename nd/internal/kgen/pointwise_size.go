package kgen

import "github.com/twiddle-go/twiddle/internal/ktree/build"

// size is what is known of a float32 value where Near holds.
type size struct {
	positive bool // it is neither below 0 nor -0; NaN, if it is not known
	noMinus  bool // it is not -0
	known    bool // it is a number, of magnitude 0 or between 2^least and 2^most
	notZero  bool
	floored  bool // it was raised to a constant where it was less
	least    int
	most     int

	magnitude build.Val // of a complex number that was asked for it
}

// unknown is the least of a number that may be any.
const unknown = -1000

func (s size) between(least, most int) bool { return s.known && s.least >= least && s.most <= most }

// root is the size of the square root.
func (s size) root() size {
	if !s.known || !s.positive {
		return size{}
	}
	s.least, s.most = s.least>>1, (s.most+1)>>1
	return s
}

// difference is the size of x-y: it is a multiple of the last digit of the lesser.
func difference(x, y size) size {
	if !x.known || !y.known || !x.positive || !y.positive {
		return size{}
	}
	return size{known: true, noMinus: true, least: min(x.least, y.least) - 23, most: max(x.most, y.most)}
}
