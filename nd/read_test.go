package nd_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

func ExampleRead() {
	x := nd.From([]float32{1, 2, 3})
	room := make([]float32, 3)
	err := nd.Read(context.Background(), room, x.MulScalar(2))
	fmt.Println(room, err)
	// Output: [2 4 6] <nil>
}

func ExampleLook() {
	x := nd.From([]float32{1, 2, 3, 4}, 2, 2)
	err := nd.Look(context.Background(), x.Transpose().MulScalar(2), func(v []float32) error {
		fmt.Println(v)
		return nil
	})
	fmt.Println(err)
	// Output:
	// [2 6 4 8]
	// <nil>
}

// TestLook looks at what lies in all ways in memory, also from inside a look.
func TestLook(t *testing.T) {
	testdevice.NeedsFloat64(t)
	x := nd.From([]float64{1, 2, 3, 4, 5, 6}, 2, 3)
	enough := errors.New("seen enough")
	for _, c := range []struct {
		name string
		of   *nd.Array
		want []float64
	}{
		{"all", x, []float64{1, 2, 3, 4, 5, 6}},
		{"from an offset", x.SliceAxis(0, nd.Range{Start: 1, Stop: 2}), []float64{4, 5, 6}},
		{"columns", x.Transpose(), []float64{1, 4, 2, 5, 3, 6}},
		{"nothing", x.SliceAxis(0, nd.Range{Start: 2, Stop: 2}), nil},
	} {
		err := nd.Look(t.Context(), c.of, func(got []float64) error {
			if !slices.Equal(got, c.want) {
				t.Errorf("%s: %v, want %v", c.name, got, c.want)
			}
			return nd.Look(t.Context(), x, func(got []float64) error {
				if len(got) != 6 {
					t.Errorf("%v inside a look", got)
				}
				return enough
			})
		})
		if err != enough {
			t.Errorf("%s: %v, want the error of who looked", c.name, err)
		}
	}
	refuse := func([]float32) error { t.Error("looked"); return nil }
	if err := nd.Look(t.Context(), x, refuse); err == nil || !strings.Contains(err.Error(), "float64, not float32") {
		t.Error(err)
	}
	if err := nd.Look(t.Context(), nd.From([]float32{1}).Reshape(7), refuse); err == nil {
		t.Error("looked at a bad shape")
	}
}

func TestReadRefuses(t *testing.T) {
	x := nd.From([]float32{1, 2, 3})
	if err := nd.Read(t.Context(), make([]float32, 2), x); err == nil || !strings.Contains(err.Error(), "room for 2 elements, there are 3") {
		t.Error(err)
	}
	if err := nd.Read(t.Context(), make([]float64, 3), x); err == nil || !strings.Contains(err.Error(), "float32, not float64") {
		t.Error(err)
	}
	if err := nd.Read(t.Context(), make([]float32, 3), x.Reshape(7)); err == nil {
		t.Error("a bad shape is read")
	}
}
