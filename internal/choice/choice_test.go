package choice_test

import (
	"testing"

	"github.com/twiddle-go/twiddle/internal/choice"
)

type fruit uint8

var fruits = []string{"apple", "pear"}

func TestNames(t *testing.T) {
	for v, want := range []string{"apple", "pear", "Fruit(2)"} {
		if got := choice.Name(fruit(v), "Fruit", fruits); got != want {
			t.Errorf("%d is %q, want %q", v, got, want)
		}
	}
	if v, err := choice.Parse[fruit]("market", "fruit", "pear", fruits); v != 1 || err != nil {
		t.Errorf("pear is %d, %v", v, err)
	}
	_, err := choice.Parse[fruit]("market", "fruit", "Pear", fruits)
	if want := `market: unknown fruit "Pear" (did you mean "pear"?): want one of apple, pear`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
