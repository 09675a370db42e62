package nd_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/nd"
)

func ExampleRead() {
	x := nd.From([]float32{1, 2, 3})
	room := make([]float32, 3)
	err := nd.Read(context.Background(), room, x.MulScalar(2))
	fmt.Println(room, err)
	// Output: [2 4 6] <nil>
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
