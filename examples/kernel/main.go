// Kernel writes a computation by hand: a running maximum over a window, with
// the window's neighbours shared in threadgroup memory. It then shows what the
// engine makes of a mistake.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/twiddle-go/twiddle/nd"
)

var windowMax = nd.Kernel{
	Name: "window_max", Inputs: []string{"x"}, Outputs: []string{"y"},
	Header: `float larger(float a, float b) { return a > b ? a : b; }`,
	Source: `
threadgroup float tile[GROUP + 2 * REACH];
uint n = threads_per_grid.x;
uint t = thread_position_in_threadgroup.x;
uint i = thread_position_in_grid.x;

// Every thread brings one sample, the first few the ones beside the group.
tile[t + REACH] = x[i];
if (t < REACH) {
    uint left = i < REACH ? 0 : i - REACH;
    tile[t] = x[left];
    tile[t + GROUP + REACH] = x[min(i + GROUP, n - 1)];
}
threadgroup_barrier(mem_flags::mem_threadgroup);

float m = tile[t];
for (uint k = 1; k <= 2 * REACH; k++)
    m = larger(m, tile[t + k]);
y[i] = m;
`,
}

func main() {
	ctx := context.Background()
	const n, group, reach = 64, 32, 3
	x := nd.Uniform(nd.Key(7), nd.Float32, n)
	launch := nd.Launch{
		Inputs: []*nd.Array{x}, Shapes: [][]int{{n}},
		Grid: [3]int{n}, Threadgroup: [3]int{group},
		Template: map[string]any{"GROUP": group, "REACH": reach},
		Check:    true, // look for races while developing
	}
	y := windowMax.Call(launch)[0]
	highest, err := nd.Item[float32](ctx, y.Sub(x).Max()) // it is an array like any other
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("a window's maximum is at most %.3f above its centre\n", highest)

	wrong := windowMax
	wrong.Source = "uint i = thread_position_in_grid.x;\ny[i] = lager(x[i], 0.5f);\n"
	fmt.Println(wrong.Call(launch)[0].Err())
}
