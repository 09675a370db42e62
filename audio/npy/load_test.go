package npy_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/nd"
)

func TestSaveLoad(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.npy")
	for _, d := range []nd.DType{nd.Bool, nd.Uint8, nd.Int8, nd.Int16, nd.Int32, nd.Int64, nd.Uint32, nd.Float16, nd.Float32, nd.Float64, nd.Complex64, nd.Complex128} {
		for _, shape := range [][]int{{}, {3}, {2, 0}, {2, 3, 4}} {
			x := nd.Arange(0, 24, 1).SliceAxis(0, nd.Range{Stop: product(shape)}).RemScalar(2).Reshape(shape...).Cast(d)
			if err := npy.Save(t.Context(), name, x); err != nil {
				t.Fatalf("%v %v: %v", d, shape, err)
			}
			y, err := npy.Load(name)
			if err != nil {
				t.Fatalf("%v %v: %v", d, shape, err)
			}
			want, err := nd.Format(t.Context(), x)
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(y.DType(), y.Shape()); got != fmt.Sprint(d, shape) {
				t.Errorf("%s, want %v %v", got, d, shape)
			} else if text, err := nd.Format(t.Context(), y); err != nil || text != want {
				t.Errorf("%v %v: %s, want %s, %v", d, shape, text, want, err)
			}
		}
	}
}

func product(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// What arrays have no type for becomes larger, or is an error.
func TestLoadOthers(t *testing.T) {
	small, err := npy.From([]uint16{3, 40000}, 2)
	if err != nil {
		t.Fatal(err)
	}
	if x, err := small.Array(); err != nil || x.DType() != nd.Int32 {
		t.Errorf("uint16: %v, %v", x, err)
	}
	large, err := npy.From([]uint64{1 << 40, 1 << 63}, 2)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := large.Array(); err == nil || !strings.Contains(err.Error(), "element 1") {
		t.Errorf("uint64: %v", err)
	}
	if _, err := npy.Load(filepath.Join(t.TempDir(), "none.npy")); err == nil {
		t.Error("no file: no error")
	}
	if err := npy.Save(t.Context(), "x.npy", nd.From([]int{1}).Reshape(2)); err == nil {
		t.Error("an array with an error: no error")
	}
}
