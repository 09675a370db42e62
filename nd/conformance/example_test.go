package conformance_test

import (
	"context"
	"fmt"
	"time"

	"github.com/twiddle-go/twiddle/nd/conformance"
)

func Example() {
	for _, target := range conformance.Targets() {
		if target.Name != "cpu portable" {
			continue
		}
		r, err := target.Check(context.Background(), time.Second, nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(target.Name, "failed:", r.Failed, "passed some:", r.Passed > 20)
	}
	// Output: cpu portable failed: 0 passed some: true
}
