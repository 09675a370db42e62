package nd_test

import (
	"fmt"
	"testing"

	"github.com/twiddle-go/twiddle/nd"
)

// Each case as loops over all letters would compute it. Integers, so that the
// order of sums leaves no trace.
func TestEinsum(t *testing.T) {
	sizes := map[rune]int{'i': 2, 'j': 3, 'k': 4, 'b': 5}
	for _, c := range []struct {
		terms  []string
		result string
	}{
		{[]string{"ij"}, "ji"}, {[]string{"ij"}, "i"}, {[]string{"ij"}, ""}, {[]string{"ii"}, "i"}, {[]string{"ii"}, ""},
		{[]string{"iji"}, "ji"}, {[]string{"ijij"}, "ij"}, {[]string{"i", "j"}, "ij"}, {[]string{"i", "i"}, ""}, {[]string{"i", "i"}, "i"},
		{[]string{"ij", "jk"}, "ik"}, {[]string{"ij", "jk"}, "ki"}, {[]string{"bij", "bjk"}, "bik"}, {[]string{"ijb", "kbj"}, "kib"},
		{[]string{"ij", "j"}, "i"}, {[]string{"ij", "kb"}, "ib"}, {[]string{"bi", "bj", "bk"}, "ijk"}, {[]string{"ij", "jk", "kb"}, "bi"},
		{[]string{"ijk", "ijk"}, ""}, {[]string{"i", "", "j"}, "ji"}, {[]string{"ii", "ij", "jj"}, "j"},
	} {
		var operands []*nd.Array
		var data [][]int64
		text := ""
		for i, term := range c.terms {
			dims := []int{}
			for _, l := range term {
				dims = append(dims, sizes[l])
			}
			a := nd.Randint(nd.Key(i+1), -9, 10, nd.Int64, dims...)
			values, err := nd.Slice[int64](t.Context(), a)
			if err != nil {
				t.Fatal(err)
			}
			operands, data = append(operands, a), append(data, values)
			if i > 0 {
				text += ","
			}
			text += term
		}
		text += "->" + c.result
		want := einsumByLoops(c.terms, c.result, sizes, data)
		out := nd.Einsum(text, operands...)
		got, err := nd.Slice[int64](t.Context(), out)
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, %v, want %v", text, got, err, want)
		}
	}
}

func einsumByLoops(terms []string, result string, sizes map[rune]int, data [][]int64) []int64 {
	letters := []rune("ijkb")
	place := func(term string, at map[rune]int) int {
		p := 0
		for _, l := range term {
			p = p*sizes[l] + at[l]
		}
		return p
	}
	n := 1
	for _, l := range result {
		n *= sizes[l]
	}
	out := make([]int64, n)
	used := map[rune]bool{}
	for _, term := range terms {
		for _, l := range term {
			used[l] = true
		}
	}
	at := map[rune]int{}
	var loop func(i int)
	loop = func(i int) {
		if i == len(letters) {
			p := int64(1)
			for k, term := range terms {
				p *= data[k][place(term, at)]
			}
			out[place(result, at)] += p
			return
		}
		count := 1
		if used[letters[i]] {
			count = sizes[letters[i]]
		}
		for at[letters[i]] = 0; at[letters[i]] < count; at[letters[i]]++ {
			loop(i + 1)
		}
		at[letters[i]] = 0
	}
	loop(0)
	return out
}

func TestEinsumForms(t *testing.T) {
	a, b := nd.Zeros(nd.Float32, 2, 3), nd.Zeros(nd.Float32, 3, 4)
	stack, one := nd.Zeros(nd.Float32, 5, 6, 2, 3), nd.Zeros(nd.Float32, 1, 3, 4)
	for _, c := range []struct{ got, want string }{
		{what(nd.Einsum("ij,jk", a, b)), "float32 [2 4]"},
		{what(nd.Einsum("ba", a)), "float32 [3 2]"},
		{what(nd.Einsum("ii", nd.Zeros(nd.Float32, 3, 3))), "float32 []"},
		{what(nd.Einsum("...ij,...jk->...ik", stack, one)), "float32 [5 6 2 4]"},
		{what(nd.Einsum("...ij, jk", stack, b)), "float32 [5 6 2 4]"},
		{what(nd.Einsum("...->...", a)), "float32 [2 3]"},
		{what(nd.Einsum("ij,jk->ik", a)), `nd: einsum: "ij,jk->ik": 2 terms for 1 array`},
		{what(nd.Einsum("ijk->i", a)), `nd: einsum: "ijk->i": term 0: "ijk" names 3 axes, the operand has 2`},
		{what(nd.Einsum("ij,ij->ij", a, b)), `nd: einsum: "ij,ij->ij": axis i has 2 elements and 3`},
		{what(nd.Einsum("ij->ik", a)), `nd: einsum: "ij->ik": result: axis k is named by no term, or twice`},
		{what(nd.Einsum("ij->ii", a)), `nd: einsum: "ij->ii": result: axis i is named by no term, or twice`},
		{what(nd.Einsum("i1->i", a)), `nd: einsum: "i1->i": term 0: '1' is not a letter`},
		{what(nd.Einsum("ij", nil)), "nd: einsum: operand 0 is a nil Array"},
		{what(nd.Einsum("")), `nd: einsum: "": 1 term for 0 arrays`},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
}
