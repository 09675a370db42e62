package recipe

import (
	"encoding/json"
	"strings"
	"testing"
)

var (
	portable = Target{Bits: 32, Lanes: 1}
	wide32   = Target{Bits: 32, Lanes: 16}
	wide64   = Target{Bits: 64, Lanes: 8}
	narrow32 = Target{Bits: 32, Lanes: 8}
)

func TestFor(t *testing.T) {
	for _, c := range []struct {
		n      int
		target Target
		want   string
	}{
		{1, wide32, "direct 1"},
		{13, wide32, "direct 13"},
		{31, wide32, "direct 31"},
		{32, wide32, "direct 32"},
		{64, wide32, "direct 64"},
		{512, wide32, "direct 512"},
		{512, wide64, "direct 512"},
		{1024, wide32, "direct 1024"},
		{1024, wide64, "mixed 8|8.16"},
		{1024, narrow32, "direct 1024"},
		{2048, narrow32, "direct 2048"},
		{2048, wide32, "direct 2048"},
		{4096, wide32, "direct 4096"},
		{8192, narrow32, "mixed 16|8.8.8"},
		{4096, wide64, "mixed 8|16.32"},
		{1 << 20, wide32, "mixed 16|16.16.16.16"},
		{1000, wide64, "mixed 8|5.25"},
		{768, wide32, "direct 768"},
		{768, narrow32, "mixed 8|8.12"},
		{1536, wide32, "direct 1536"},
		{3072, wide32, "direct 3072"},
		{3125, wide32, "mixed 5.25|25"},
		{48000, wide32, "mixed 16|10.12.25"},
		{1009, wide32, "rader 1009 (mixed 16|7.9)"},
		{65537, wide32, "rader 65537 (mixed 16|16.16.16)"},
		{1019, wide32, "bluestein 1019 (mixed 16|16.8)"}, // 1018 = 2*509
		{64, portable, "mixed 8.8"},
	} {
		if got := For(c.n, c.target).String(); got != c.want {
			t.Errorf("For(%d, %+v) = %s, want %s", c.n, c.target, got, c.want)
		}
	}
}

func TestEveryRecipeIsValidAndParses(t *testing.T) {
	for _, target := range []Target{portable, wide32, wide64, narrow32} {
		for n := 1; n < 1200; n++ {
			for i, r := range Candidates(n, target, 3) {
				if err := r.Validate(); err != nil {
					t.Fatal(err)
				}
				if r.N != n {
					t.Fatalf("candidate %d for %d has length %d", i, n, r.N)
				}
				back, err := Parse(r.String())
				if err != nil {
					t.Fatal(err)
				}
				if !back.Equal(r) {
					t.Fatalf("Parse(%q) = %v", r.String(), back)
				}
			}
		}
	}
}

func TestCandidatesDiffer(t *testing.T) {
	c := Candidates(44100, wide32, 4)
	if len(c) != 4 {
		t.Fatalf("%d candidates, want 4", len(c))
	}
	for i := range c {
		for j := range i {
			if c[i].Equal(c[j]) {
				t.Errorf("candidates %d and %d are both %v", j, i, c[i])
			}
		}
	}
	if !c[0].Equal(For(44100, wide32)) {
		t.Errorf("the first candidate is %v, For says %v", c[0], For(44100, wide32))
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "unknown kind",
		"direct":                          "not a length",
		"direct 33":                       "no butterfly",
		"direct 8192":                     "no butterfly",
		"mixed 8.":                        "not a length",
		"mixed 8|4|2":                     "two turns",
		"mixed 64.2":                      "radix 64",
		"mixed 8.1":                       "radix 1",
		"mixed 8.8 and more":              "trailing",
		"rader 10 (direct 9)":             "needs a prime",
		"rader 11 (direct 9)":             "inner length of 10",
		"rader 11 direct 10":              "missing (",
		"rader 11 (direct 10":             "missing )",
		"bluestein 20 (direct 32)":        "below 39",
		"fourstep (direct 8)":             "missing (",
		"fourstep (direct 8) (mixed 4|4)": "across lines",
		"mixed 31.31.31.31.31.31.31.31.31.31.31.31.31.31.31.31": "length",
		strings.Repeat("rader 3 (", 20):                         "nested deeper",
		"direct 99999999999999999999":                           "not a length",
	} {
		if r, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q) = %v, %v; want an error with %q", text, r, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("bluestein 20 (mixed 4|4.4)")
	f.Add("fourstep (mixed 16.8) (mixed 16.16)")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := Parse(text)
		if err != nil {
			return
		}
		if back, err := Parse(r.String()); err != nil || !back.Equal(r) {
			t.Errorf("Parse(%q) = %v, which parses to %v, %v", text, r, back, err)
		}
	})
}

func TestJSON(t *testing.T) {
	r := For(1009, wide32)
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back Recipe
	if err := json.Unmarshal(text, &back); err != nil || !back.Equal(r) {
		t.Errorf("%s reads back as %v, %v", text, &back, err)
	}
	if err := json.Unmarshal([]byte(`{"kind":"slow"}`), &back); err == nil {
		t.Error("an unknown kind was read")
	}
}

func TestTree(t *testing.T) {
	want := `1009: Rader, cyclic convolution of 1008
  inner 1008: passes 16 turn 7 9
`
	if got := For(1009, wide32).Tree(); got != want {
		t.Errorf("Tree() = %q, want %q", got, want)
	}
}

// Half lines that have no kernel are no different from other lines.
func TestForHalfOfPasses(t *testing.T) {
	for _, target := range []Target{{Bits: 32, Lanes: 16}, {Bits: 64, Lanes: 8}} {
		for _, m := range []int{1000, 3000, 5000, 12000} {
			if r, want := ForHalf(2*m, target), For(m, target); !r.Equal(want) {
				t.Errorf("%+v: %v for half of %d samples, %v for a line", target, r, 2*m, want)
			}
		}
	}
}

// A half line is one kernel where that untangles bins, or where vectors do not gain by
// planes.
func TestForHalf(t *testing.T) {
	for _, c := range []struct {
		n, bits, lanes int
		direct         bool
	}{
		{1024, 32, 8, true}, {2048, 32, 8, false},
		{512, 64, 4, true}, {1024, 64, 4, false},
		{1024, 32, 16, true}, {1536, 32, 16, true}, {2048, 32, 16, true},
		{512, 64, 8, true}, {1024, 64, 8, false},
		{3072, 32, 16, true}, {4096, 32, 16, true}, {6144, 32, 16, false}, {8192, 32, 16, false},
	} {
		r := ForHalf(c.n, Target{Bits: c.bits, Lanes: c.lanes})
		if r.N != c.n/2 || (r.Kind == Direct) != c.direct {
			t.Errorf("%d samples of %d bits, %d lanes: %v", c.n, c.bits, c.lanes, r)
		}
	}
}

func TestMeasuredRecipesAreChosen(t *testing.T) {
	for target, recipes := range fastest {
		for n, text := range recipes {
			r := For(n, target)
			if r.String() != text || r.N != n {
				t.Errorf("%+v %d: %v is chosen, %s was fastest", target, n, r, text)
			}
		}
	}
	for target, recipes := range fastestPlanes {
		for n, text := range recipes {
			if r := ForHalf(2*n, target); r.String() != text || r.N != n {
				t.Errorf("%+v %d samples: %v is chosen, %s was fastest", target, 2*n, r, text)
			}
		}
	}
	for target, recipes := range fastestOdd {
		for n, text := range recipes {
			if r := ForHalf(n, target); r.String() != text || r.N != n {
				t.Errorf("%+v %d samples: %v is chosen, %s was fastest", target, n, r, text)
			}
		}
	}
}

// What is kept for Bluestein's method does not grow with the lengths that are asked for.
func TestInnersAreFew(t *testing.T) {
	target := Target{Bits: 64, Lanes: 8}
	before := For(1009, target)
	for n := 2000; n < 3000; n++ {
		For(n, target)
	}
	few := 0
	inners.Range(func(key, _ any) bool {
		if k := key.(innerKey); k.Target == target && k.n > 2*2000 && k.n < 2*3000 {
			few++
		}
		return true
	})
	if few == 0 || few > 2*len(oddParts) {
		t.Errorf("%d padded lengths are kept for 1000 lengths", few)
	}
	if after := For(1009, target); !after.Equal(before) {
		t.Errorf("%v the second time, %v before", after, before)
	}
}
