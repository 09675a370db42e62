package a

import "github.com/twiddle-go/twiddle/nd"

func found1() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
uint w = x_shape[1];
uint row = i / w; // want "\\[warn TWK01\\] .*integer division by a value that is not constant"
y[i] = x[row];`}
}

func found2() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
y[i] = x[i % threads_per_threadgroup.x]; // want "integer division"`}
}

func found3() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `int n = x_shape[0];
int i = thread_position_in_grid.x;
i /= n; // want "integer division"
y[i] = x[i];`}
}

func found4() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
uint k = 3;
k = k + i;
y[i] = x[(i + 7) / k]; // want "integer division"`}
}

func found5() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
for (uint j = 1; j < x_shape[0]; j++) {
    y[i] += x[i / j]; // want "integer division"
}`}
}

func found6() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
ushort a = i, b = i + 1;
y[i] = x[uint(a) % uint(b)]; // want "integer division"`}
}

func fine1() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
y[i] = x[i / 4];`}
}

func fine2() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
y[i] = x[i / N];`}
}

func fine3() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
float s = x[i];
y[i] = s / x[0];`}
}

func fine4() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
const uint w = 64;
y[i] = x[i % w];`}
}

func fine5() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint2 p = thread_position_in_grid.xy;
y[p.y * x_shape[1] + p.x] = x[p.x];`}
}

func fine6() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
for (uint j = 1; j < 8; j++) {
    y[i] += x[i / j];
}`}
}

func fine7() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
uint w = x_shape[1];
//twiddle:ignore TWK01 once for a whole row
uint row = i / w;
y[i] = x[row];`}
}

func fine8() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
y[i] = float(i) / float(threads_per_grid.x);`}
}
