package kgen_test

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/simulate"
)

// TestNearNormal aims at where the short way to a normal number has to give up: the greatest
// uniform number, whose logarithm is 0, zeros of the cosine, and results near the middle of two
// float32. Draws never hit the first.
func TestNearNormal(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	const full = 1 << 53
	var words []uint32 // four for each number
	number := func(u, v uint64) {
		u, v = u<<11|rng.Uint64()>>53, v<<11|rng.Uint64()>>53 // the lowest bits do not count
		words = append(words, uint32(u), uint32(u>>32), uint32(v), uint32(v>>32))
	}
	uniform := []uint64{0, 1, full / 2, full/2 - 1, full / 3, full - 1, full - 2, full - 3, full - 1<<20}
	turns := []uint64{0, 1, full / 4, full/4 - 1, full/4 + 1, full/4 + 1<<30, full / 2, full - full/4, full - full/4 - 1, full - full/4 + 1<<20, full - 1, full / 8}
	for _, u := range uniform {
		for _, v := range turns {
			number(u, v)
		}
	}
	const group, numbers = 64, 1 << 12
	aimed := len(words) / 4
	for len(words) < 4*numbers {
		u := 1 + rng.Uint64N(full)
		root := math.Sqrt(-2 * math.Log(float64(u)/full))
		z := float32(root * math.Cos(2*math.Pi*rng.Float64()))
		middle := (float64(z) + float64(math.Nextafter32(z, 0))) / 2
		number(u-1, uint64(full*math.Acos(middle/root)/(2*math.Pi))+rng.Uint64N(9)-4)
	}
	count := len(words) / 4

	k := build.NewKernel("normals", group)
	in := k.Buffer("words", ktree.Scalar(ktree.Uint), false)
	near, usual := k.Buffer("near", ktree.Scalar(ktree.Uint), true), k.Buffer("usual", ktree.Scalar(ktree.Double), true)
	i := k.Let("i", k.Group().Mul(group).Add(k.Thread()))
	part := func(n int64) build.Val { return in.At(i.Mul(4).Add(n)) }
	bits := k.Let("bits", build.Vec(part(0), part(1), part(2), part(3)))
	k.Set(near.At(i), build.Call(kgen.NearNormal(k), bits).Bits(ktree.Uint))
	k.Set(usual.At(i), build.Call(kgen.Normal(k), bits))
	m := &kgen.Module{Kernels: []*ktree.Program{k.Program()}, Steps: []kgen.Step{{Groups: count / group, Threads: group,
		Params: []kgen.Param{{Kind: kgen.ReadPointer}, {Kind: kgen.WritePointer}, {Kind: kgen.WritePointer, Index: 1}}}}}
	out := [][]byte{make([]byte, 4*count), make([]byte, 8*count)}
	if _, err := simulate.Run(m, [][]byte{elem.Bytes(words)}, out, nil, true); err != nil {
		t.Fatal(err)
	}
	middles := 0
	for i := range count {
		got := math.Float32frombits(binary.LittleEndian.Uint32(out[0][4*i:]))
		exact := math.Float64frombits(binary.LittleEndian.Uint64(out[1][8*i:]))
		want := float32(exact)
		if math.Float32bits(got) != math.Float32bits(want) {
			t.Errorf("number %d, of words %#x: %g, want %g", i, words[4*i:4*i+4], got, want)
		}
		if lower := int64(math.Float64bits(exact)&0x1fffffff) - 0x10000000; i >= aimed && lower > -1<<8 && lower < 1<<8 {
			middles++
		}
	}
	if middles < numbers/2 {
		t.Errorf("%d of %d numbers are near the middle of two", middles, count-aimed)
	}
}
