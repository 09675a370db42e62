package transform_test

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/transform"
)

func ExampleNew() {
	level := simd.Active()
	r := recipe.For(4, transform.Target[complex128](level))
	p, err := transform.New[complex128](r, level)
	if err != nil {
		fmt.Println(err)
		return
	}
	x := []complex128{1, 2, 3, 4}
	scratch := make([]complex128, p.ScratchLen())
	p.Forward(x, x, scratch)
	fmt.Println(x)
	p.Scaled(0.25).Inverse(x, x, scratch)
	fmt.Println(x)
	// Output:
	// [(10+0i) (-2+2i) (-2+0i) (-2-2i)]
	// [(1+0i) (2+0i) (3+0i) (4+0i)]
}
