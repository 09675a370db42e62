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

func ExampleNewNative() {
	// The running sum of each row: on the CPU by a loop, elsewhere by the body.
	sums := nd.Kernel{
		Name: "sums", Inputs: []string{"x"}, Outputs: []string{"y"},
		Source: `uint row = thread_position_in_grid.x * 3;
float sum = 0;
for (uint i = 0; i < 3; i++) { sum += x[row + i]; y[row + i] = sum; }`,
		Native: nd.NewNative(func(g *nd.Group) {
			x, y := nd.Elements[float32](g.Inputs[0]), nd.Elements[float32](g.Outputs[0])
			row := g.Position[0] * 3
			sum := float32(0)
			for i, v := range x[row : row+3] {
				sum += v
				y[row+i] = sum
			}
		}),
	}
	x := nd.From([]float32{1, 2, 3, 10, 20, 30}, 2, 3)
	y := sums.Call(nd.Launch{Inputs: []*nd.Array{x}, Shapes: [][]int{{2, 3}}, Grid: [3]int{2}, Threadgroup: [3]int{1}})[0]
	fmt.Println(nd.Slice[float32](context.Background(), y))
	// Output: [1 3 6 10 30 60] <nil>
}

// adding is a kernel whose body adds 1, and whose native form adds something
// else, so that a result tells which of them ran.
func adding(by float32) *nd.Kernel {
	return &nd.Kernel{
		Name: "adding", Inputs: []string{"x"}, Outputs: []string{"y"},
		Source: `y[thread_position_in_grid.x] = x[thread_position_in_grid.x] + 1;`,
		Native: nd.NewNative(func(g *nd.Group) {
			x, y := nd.Elements[float32](g.Inputs[0]), nd.Elements[float32](g.Outputs[0])
			for i := 2 * g.Position[0]; i < min(2*g.Position[0]+2, len(x)); i++ {
				y[i] = x[i] + by
			}
		}),
	}
}

func TestNative(t *testing.T) {
	testdevice.NotOnGPU(t, "Go is for the CPU")
	x := nd.From([]float32{1, 2, 3, 4, 5}).Flip(0)
	alone := adding(10)
	alone.Source = ""
	for _, c := range []struct {
		name   string
		kernel *nd.Kernel
		change func(*nd.Launch)
		want   []float32
	}{
		{"native", adding(10), func(*nd.Launch) {}, []float32{15, 14, 13, 12, 11}},
		{"another of the same text", adding(20), func(*nd.Launch) {}, []float32{25, 24, 23, 22, 21}},
		{"checked", adding(10), func(l *nd.Launch) { l.Check = true }, []float32{6, 5, 4, 3, 2}},
		{"without a body", alone, func(*nd.Launch) {}, []float32{15, 14, 13, 12, 11}},
		{"without a body, checked", alone, func(l *nd.Launch) { l.Check = true }, []float32{15, 14, 13, 12, 11}},
		{"limited", adding(10), func(l *nd.Launch) { l.Limit = 100 }, []float32{6, 5, 4, 3, 2}},
	} {
		l := nd.Launch{Inputs: []*nd.Array{x}, Shapes: [][]int{{5}}, Grid: [3]int{5}, Threadgroup: [3]int{2}}
		c.change(&l)
		got, err := nd.Slice[float32](context.Background(), c.kernel.Call(l)[0])
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v; want %v", c.name, got, err, c.want)
		}
	}
}

func TestNativeFails(t *testing.T) {
	testdevice.NotOnGPU(t, "Go is for the CPU")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	x := nd.Ones(nd.Float32, 4)
	call := func(run func(*nd.Group)) *nd.Array {
		k := nd.Kernel{Name: "failing", Inputs: []string{"x"}, Outputs: []string{"y"},
			Source: `y[thread_position_in_grid.x] = x[thread_position_in_grid.x];`, Native: nd.NewNative(run)}
		return k.Call(nd.Launch{Inputs: []*nd.Array{x}, Shapes: [][]int{{4}}, Grid: [3]int{4}, Threadgroup: [3]int{4}})[0]
	}
	y := call(func(g *nd.Group) { nd.Elements[float64](g.Inputs[0])[0] = 1 })
	if err := nd.Eval(ctx, y); err == nil || !strings.Contains(err.Error(), "float32 elements taken for float64") {
		t.Errorf("wrong type: %v", err)
	}
	// A panic is reported with the lines of the function, and no others.
	y = call(func(g *nd.Group) { nd.Elements[float32](g.Inputs[0])[len(g.Outputs)+7] = 1 })
	err := nd.Eval(ctx, y)
	if err == nil || !strings.HasPrefix(err.Error(), "nd: failing: its native form panicked: runtime error: index out of range [8] with length 4 (at ") {
		t.Errorf("out of range: %v", err)
	} else if _, lines, _ := strings.Cut(err.Error(), "\n"); strings.Count(lines, "\n") != 0 || !strings.Contains(lines, "nd/native_test.go:") {
		t.Errorf("frames of a panic: %q", lines)
	}
	y = call(func(g *nd.Group) { cancel(); <-g.Context.Done() })
	if err := nd.Eval(ctx, y); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
