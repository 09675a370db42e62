package fft

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
)

// Batch describes the layout of many lines in two slices: element i of line b is at b*Dist
// + i*Stride, with separate values for dst and src. Lines of src may overlap one another
// (frames of a signal); lines of dst may not.
//
// A Stride of 0 means 1, neighbouring elements. A Dist of 0 means that lines follow one
// another: the line's length times the stride.
type Batch struct {
	Count     int
	DstStride int
	DstDist   int
	SrcStride int
	SrcDist   int
}

// side is how lines lie in one slice: element i of line (o, b) is at
// o*outer + b*dist + i*stride.
type side struct {
	length              int // elements of a line
	outer, dist, stride int
}

// lines is a batch with defaults filled in: outer groups of inner lines.
type lines struct {
	outer, inner int
	dst, src     side
}

func newSide(length, stride, dist int) side {
	stride = cmp.Or(stride, 1)
	if dist == 0 && stride > 0 {
		if d, ok := product(length, stride); ok {
			dist = d
		}
	}
	return side{length: length, dist: dist, stride: stride}
}

func (b Batch) lines(dstLength, srcLength int) lines {
	return lines{
		outer: 1, inner: b.Count,
		dst: newSide(dstLength, b.DstStride, b.DstDist),
		src: newSide(srcLength, b.SrcStride, b.SrcDist),
	}
}

// follows reports a batch of several lines that follow one another and fill slices of these lengths.
// Most do, and checking any layout takes as long as two short lines.
func (b Batch) follows(dstLength, srcLength, dstLen, srcLen int) bool {
	return b.DstStride|b.DstDist|b.SrcStride|b.SrcDist == 0 && b.Count > 1 && b.Count <= dstLen && // so no product overflows
		b.Count*dstLength == dstLen && b.Count*srcLength == srcLen
}

// check finds out whether lines laid out so fit slices of these lengths.
func (l lines) check(op string, dstLen, srcLen int) error {
	if l.inner < 0 {
		return fmt.Errorf("fft: %s: batch of %d lines", op, l.inner)
	}
	if err := l.src.check(op, "src", l.inner, srcLen); err != nil {
		return err
	}
	if err := l.dst.check(op, "dst", l.inner, dstLen); err != nil {
		return err
	}
	if l.dst.collide(l.inner) {
		return fmt.Errorf("fft: %s: dst lines %d apart with stride %d overlap one another", op, l.dst.dist, l.dst.stride)
	}
	return nil
}

func (s side) check(op, name string, count, have int) error {
	if s.stride < 0 || s.dist < 0 {
		return fmt.Errorf("fft: %s: %s stride %d, distance %d: want neither negative", op, name, s.stride, s.dist)
	}
	if count == 0 {
		return nil
	}
	reach, ok := product(s.length-1, s.stride)
	jump, ok2 := product(count-1, s.dist)
	if !ok || !ok2 || (s.dist == 0 && count > 1) || reach > math.MaxInt-1-jump {
		return fmt.Errorf("fft: %s: %s: %d lines %d apart with stride %d: more elements than can be addressed", op, name, count, s.dist, s.stride)
	}
	if need := reach + jump + 1; have < need {
		return fmt.Errorf("fft: %s: %s has %d elements, want at least %d for %d lines %d apart with stride %d",
			op, name, have, need, count, s.dist, s.stride)
	}
	return nil
}

// product of numbers that are not negative, and whether it fits. It does not divide, which
// takes longer than some lines do.
func product(a, b int) (int, bool) {
	high, low := bits.Mul(uint(a), uint(b))
	if high != 0 || low > math.MaxInt {
		return 0, false
	}
	return int(low), true
}

// collide reports whether two lines share an element: b*dist = i*stride has
// its smallest solution at b = stride/g, i = dist/g with g their greatest
// common divisor.
func (s side) collide(count int) bool {
	if s.stride == 1 {
		return count > 1 && s.dist < s.length
	}
	g, rest := s.stride, s.dist
	for rest != 0 {
		g, rest = rest, g%rest
	}
	return s.stride/g < count && s.dist/g < s.length
}

// used is the part of a slice from its first to its last element in use.
func used[T any](x []T, s side, l lines) []T {
	if l.outer == 0 || l.inner == 0 {
		return x[:0]
	}
	return x[:(l.outer-1)*s.outer+(l.inner-1)*s.dist+(s.length-1)*s.stride+1]
}

// contiguous reports whether both sides have neighbouring elements.
func (l lines) contiguous() bool { return l.dst.stride == 1 && l.src.stride == 1 }

// adjacent reports whether both sides have neighbouring lines.
func (l lines) adjacent() bool { return l.dst.dist == 1 && l.src.dist == 1 }

// part is lines first to first+count of group o, with its own offsets.
func (l lines) part(o, first, count int) (p lines, dst, src int) {
	p = l
	p.outer, p.inner = 1, count
	return p, o*l.dst.outer + first*l.dst.dist, o*l.src.outer + first*l.src.dist
}
