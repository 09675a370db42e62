package a

import (
	"fmt"
	"strconv"

	"github.com/twiddle-go/twiddle/nd"
)

func printed(n int) *nd.Kernel {
	return &nd.Kernel{Name: "scale", Source: fmt.Sprintf("y[0] = %d * x[0];", n)} // want `\[warn TW013\] the number n is printed into the kernel's source`
}

func printedFloat(gain float64) nd.Kernel {
	src := fmt.Sprintf("y[0] = %gf * x[0];", gain)
	return nd.Kernel{Name: "gain", Source: src} // want `the number gain is printed`
}

func joined(n int) nd.Kernel {
	return nd.Kernel{Name: "shift", Source: "y[0] = x[" + strconv.Itoa(n) + "];"} // want `the number n is printed`
}

func joinedFloat(g float64) nd.Kernel {
	return nd.Kernel{Name: "gain", Source: "y[0] = x[0] * " + strconv.FormatFloat(g, 'g', -1, 32) + "f;"} // want `the number g is printed`
}

func header(n int) nd.Kernel {
	return nd.Kernel{Name: "scale", Source: "y[0] = N * x[0];", Header: fmt.Sprintf("constant int N = %d;", n)} // want `the number n is printed`
}

func length(xs []float32) nd.Kernel {
	return nd.Kernel{Name: "mean", Source: fmt.Sprint("y[0] = x[0] / ", len(xs), ";")} // want `the number len\(xs\) is printed`
}

func first() nd.Kernel { return nd.Kernel{Name: "by2", Source: "y[0] = 2.0f * x[0] + float4(1).x;"} }

func second() nd.Kernel {
	return nd.Kernel{Name: "by3", Source: "y[0] = 3.0f * x[0] + float4(1).x;"} // want `differs from an earlier one only in numbers`
}

func constant() nd.Kernel {
	const n = 4
	return nd.Kernel{Name: "scale", Source: fmt.Sprintf("y[1] = %d * x[0] - x[1];", n)}
}

func typeName(name string) nd.Kernel {
	return nd.Kernel{Name: "cast", Source: fmt.Sprintf("y[0] = (%s)x[0];", name)}
}

func parameter(src string) nd.Kernel { return nd.Kernel{Name: "any", Source: src} }

func otherBody() nd.Kernel { return nd.Kernel{Name: "add", Source: "y[0] = x[0] + 2.0f;"} }

func otherName() nd.Kernel { return nd.Kernel{Name: "float4", Source: "y[0] = float4(x[0]).x;"} }

func otherWidth() nd.Kernel { return nd.Kernel{Name: "float2", Source: "y[0] = float2(x[0]).x;"} }

func sameAgain() nd.Kernel {
	return nd.Kernel{Name: "by2", Source: "y[0] = 2.0f * x[0] + float4(1).x;"}
}

func inLoop(x *nd.Array) {
	for i := range 8 {
		k := nd.Kernel{Name: "scale", Source: fmt.Sprintf("y[0] = %d * x[0];", i)}
		k.Call(nd.Launch{Inputs: []*nd.Array{x}})
	}
}

func template(x *nd.Array, n int) {
	k := nd.Kernel{Name: "scale", Source: "y[0] = N * x[0];"}
	k.Call(nd.Launch{Inputs: []*nd.Array{x}, Template: map[string]any{"N": n}})
}
