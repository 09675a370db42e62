package nd_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/nd"
)

func ExampleParseDType() {
	t, err := nd.ParseDType("complex64")
	fmt.Println(t, t.Size(), err)
	_, err = nd.ParseDType("float23")
	fmt.Println(strings.Contains(err.Error(), "bfloat16"))
	// Output:
	// complex64 8 <nil>
	// true
}

func TestParse(t *testing.T) {
	for _, v := range []nd.Accumulation{nd.Pairwise, nd.Fast, nd.Compensated, nd.Exact} {
		if got, err := nd.ParseAccumulation(v.String()); got != v || err != nil {
			t.Error(v, got, err)
		}
	}
	for _, v := range []nd.PadMode{nd.PadConstant, nd.PadReflect, nd.PadEdge, nd.PadWrap} {
		if got, err := nd.ParsePadMode(v.String()); got != v || err != nil {
			t.Error(v, got, err)
		}
	}
	for _, name := range []string{"backward", "ortho", "forward"} {
		if got, err := nd.ParseNorm(name); got.String() != name || err != nil {
			t.Error(name, got, err)
		}
	}
	for _, err := range []error{second(nd.ParseAccumulation("x")), second(nd.ParsePadMode("")), second(nd.ParseNorm("Ortho")), second(nd.ParseDType("invalid"))} {
		if err == nil || !strings.HasPrefix(err.Error(), "nd: unknown ") {
			t.Error(err)
		}
	}
}

func second[T any](_ T, err error) error { return err }
