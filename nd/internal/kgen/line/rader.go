package line

import (
	"encoding/binary"
	"fmt"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/roots"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// permuted is Rader's method: in the order of the powers of a primitive root,
// the elements of a line of prime length but the first are convolved with roots
// of unity, cyclically. Lines are put in that order in shared memory, so that
// memory is read and written in the natural one. A transform back is that of
// the conjugate line, conjugated.
func (k *kernel) permuted(x *transform, in source, out sink) {
	a := k.arith(x.precision)
	n, m := x.f.N, x.split.N
	logs, spectrum := k.logTable(n), k.raderTable(n, x.precision)
	shared := k.swap(x.pair())
	put := func(at build.Val, z number) { k.Set(shared.At(at), build.Vec(z.Re, z.Im)) }
	turned := func(z number) number { return mirrored(z, x.inverse()) }
	natural := k.natural(n)
	plain, deliver := k.plainIn(x, in), k.plainOut(x, out)
	line := lists.Map(natural, func(p place) number { return turned(plain([]place{p})[0]) })
	k.guard.beforeWrite(swapped)
	for i, p := range natural { // element 0 comes to lie behind the others
		k.when(p.ok, func() { put(logs.At(p.at), line[i]) })
	}
	k.guard.beforeRead(swapped)
	first := k.looked(shared.At(m))

	var between [][]number
	var sum number
	var whose build.Val
	c := k.newCore(x, x.split, false)
	c.run(func(at []place) []number {
		return lists.Map(at, func(p place) number { return k.looked(shared.At(p.at)) })
	}, func(at []place, v []number) {
		list := make([]number, len(at))
		for i, p := range at {
			list[i] = a.Mul(v[i], k.looked(spectrum.At(p.at)))
			if p.lo() == 0 { // the first element is part of all others, and of the sum
				whose = k.Let("whose", both(p.ok, p.at.Eq(0)))
				sum = a.Add(v[i], first)
				list[i] = a.Either(whose, a.Add(list[i], first), list[i])
			}
		}
		between = append(between, list)
	})
	c = k.newCore(x, x.split.Reversed(), true)
	c.run(taken(&between), func(at []place, v []number) {
		k.guard.beforeWrite(swapped)
		for i, p := range at {
			to := p.at
			if p.lo() == 0 {
				to = p.at.Eq(0).Choose(m, p.at)
			}
			k.when(p.ok, func() { put(to, v[i]) })
		}
	})
	k.when(whose, func() { put(whole(0), sum) })
	k.guard.beforeRead(swapped)
	line = lists.Map(natural, func(p place) number { return turned(k.looked(shared.At(whole(m).Sub(logs.At(p.at))))) })
	for i, p := range natural {
		deliver([]place{p}, []number{line[i]})
	}
}

// logTable has, for every i below a prime n, which power of its generator i is;
// 0 is none, and has n-1.
func (k *kernel) logTable(n int) build.Val {
	return k.table(fmt.Sprintf("logs %d", n), ktree.Scalar(ktree.Int), func() []byte {
		data := make([]byte, 4*n)
		binary.LittleEndian.PutUint32(data, uint32(n-1))
		g := recipe.PrimitiveRoot(n)
		for e, i := 0, 1; e < n-1; e, i = e+1, i*g%n {
			binary.LittleEndian.PutUint32(data[4*i:], uint32(e))
		}
		return data
	})
}

// raderTable is the transform of the n-th roots of unity in the order of
// falling powers of the generator, over n-1.
func (k *kernel) raderTable(n int, p *precision) build.Val {
	return k.pairs(p, fmt.Sprintf("rader %d", n), func() []complex128 {
		g, table := recipe.PrimitiveRoot(n), roots.Of(n)
		list := make([]complex128, n-1)
		for e, i := 0, 1; e < n-1; e, i = e+1, i*g%n {
			re, im := table.At(i)
			list[(n-1-e)%(n-1)] = complex(re/float64(n-1), im/float64(n-1))
		}
		transformed(list)
		return list
	})
}
