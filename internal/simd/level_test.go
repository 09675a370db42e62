package simd

import "testing"

func TestChoose(t *testing.T) {
	levels := Available()
	best := levels[len(levels)-1]
	if got, err := choose(""); got != best || err != nil {
		t.Errorf("choose(\"\") = %v, %v; want %v, nil", got, err, best)
	}
	for _, l := range levels {
		if got, err := choose(l.String()); got != l || err != nil {
			t.Errorf("choose(%q) = %v, %v", l, got, err)
		}
	}
	if got, err := choose("mmx"); got != best || err == nil {
		t.Errorf("choose(mmx) = %v, %v; want %v and an error", got, err, best)
	}
}
