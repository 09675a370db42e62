package recipe_test

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/recipe"
)

func ExampleFor() {
	r := recipe.For(65537, recipe.Target{Bits: 32, Lanes: 16})
	fmt.Println(r)
	fmt.Print(r.Tree())
	// Output:
	// rader 65537 (mixed 16|16.16.16)
	// 65537: Rader, cyclic convolution of 65536
	//   inner 65536: passes 16 turn 16 16 16
}
