package kgen

import (
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
)

// FillThreads is how many words a group of Fill sets: what every GPU has threads for.
const FillThreads = 256

// Fill is a kernel that sets memory to words of a pattern of two. Its parameters are
// the memory, the number of words, and the words at even and at odd places.
func Fill() *ktree.Program {
	word := ktree.Scalar(ktree.Uint)
	k := build.NewKernel("fill", FillThreads)
	memory := k.Buffer("memory", word, true)
	count, even, odd := k.Number("count", word), k.Number("even", word), k.Number("odd", word)
	i := k.Let("i", k.Group().Mul(FillThreads).Add(k.Thread()))
	k.If(i.Lt(count), func() { k.Set(memory.At(i), i.And(1).Eq(0).Choose(even, odd)) })
	return k.Program()
}
