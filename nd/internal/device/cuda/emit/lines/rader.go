package lines

import (
	"encoding/binary"
	"fmt"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/roots"
)

// permuted is Rader's method: in the order of the powers of a primitive root,
// the elements of a line of prime length but the first are convolved with roots
// of unity, cyclically. Lines are put in that order in shared memory, so that
// memory is read and written in the natural one. A transform back is that of
// the conjugate line, conjugated.
func (k *kernel) permuted(x *transform, in source, out sink) {
	a := k.arithmetic(x.precision)
	n, m := x.f.N, x.split.N
	logs, spectrum := k.logTable(n), k.raderTable(n, x.precision)
	shared := fmt.Sprintf("((%s*)swap)", x.pair)
	turned := func(z number) number {
		if x.inverse() {
			return z.Conjugate()
		}
		return z
	}
	natural := k.natural(n)
	plain, deliver := k.plainIn(x, in), k.plainOut(x, out)
	line := make([]number, len(natural))
	for i, p := range natural {
		line[i] = turned(plain([]place{p})[0])
	}
	k.guard.beforeWrite(k.text, swapped)
	for i, p := range natural { // element 0 comes to lie behind the others
		k.when(p.ok, "%s[%s[%s]] = %s;", shared, logs, p, x.paired(line[i]))
	}
	k.guard.beforeRead(k.text, swapped)
	v := k.let(x.pair, "%s[%d]", shared, m)
	first := x.parts(v)

	var between [][]number
	var sum number
	var whose string
	c := k.newCore(x, x.split, false)
	c.run(func(at []place) []number {
		list := make([]number, len(at))
		for i, p := range at {
			v := k.let(x.pair, "%s[%s]", shared, p)
			list[i] = x.parts(v)
		}
		return list
	}, func(at []place, v []number) {
		list := make([]number, len(at))
		for i, p := range at {
			w := k.let(x.pair, "%s[%s]", spectrum, p)
			list[i] = a.Mul(v[i], x.parts(w))
			if p.lo == 0 { // the first element is part of all others, and of the sum
				whose = k.let("bool", "%s", both(p.ok, p.String()+" == 0"))
				sum = a.Add(v[i], first)
				list[i] = a.either(whose, a.Add(list[i], first), list[i])
			}
		}
		between = append(between, list)
	})
	c = k.newCore(x, x.split.Reversed(), true)
	c.run(func(at []place) []number {
		list := between[0]
		between = between[1:]
		return list
	}, func(at []place, v []number) {
		k.guard.beforeWrite(k.text, swapped)
		for i, p := range at {
			to := p.String()
			if p.lo == 0 {
				to = fmt.Sprintf("(%s == 0 ? %d : %s)", p, m, p)
			}
			k.when(p.ok, "%s[%s] = %s;", shared, to, x.paired(v[i]))
		}
	})
	k.when(whose, "%s[0] = %s;", shared, x.paired(sum))
	k.guard.beforeRead(k.text, swapped)
	for _, p := range natural {
		v := k.let(x.pair, "%s[%d - %s[%s]]", shared, m, logs, p)
		deliver([]place{p}, []number{turned(x.parts(v))})
	}
}

// natural are the places of a line of n as threads take them that follow each
// other.
func (k *kernel) natural(n int) []place {
	var list []place
	for first := 0; first < n; first += k.threads {
		p := place{base: "t", add: first, lo: first, hi: min(first+k.threads, n) - 1}
		if first+k.threads > n {
			p.ok = fmt.Sprintf("%s < %d", p, n)
			p.base, p.add = k.let("int", "min(%s, %d)", p, n-1), 0
		}
		list = append(list, p)
	}
	return list
}

// logTable has, for every i below a prime n, which power of its generator i is;
// 0 is none, and has n-1.
func (k *kernel) logTable(n int) string {
	return k.table(fmt.Sprintf("logs %d", n), func() []byte {
		data := make([]byte, 4*n)
		binary.LittleEndian.PutUint32(data, uint32(n-1))
		g := recipe.PrimitiveRoot(n)
		for e, i := 0, 1; e < n-1; e, i = e+1, i*g%n {
			binary.LittleEndian.PutUint32(data[4*i:], uint32(e))
		}
		return data
	}, "int")
}

// raderTable is the transform of the n-th roots of unity in the order of
// falling powers of the generator, over n-1.
func (k *kernel) raderTable(n int, p *precision) string {
	return k.table(fmt.Sprintf("rader %s %d", p.real, n), func() []byte {
		g, table := recipe.PrimitiveRoot(n), roots.Of(n)
		list := make([]complex128, n-1)
		for e, i := 0, 1; e < n-1; e, i = e+1, i*g%n {
			re, im := table.At(i)
			list[(n-1-e)%(n-1)] = complex(re/float64(n-1), im/float64(n-1))
		}
		transformed(list)
		return p.packed(list)
	}, p.pair)
}
