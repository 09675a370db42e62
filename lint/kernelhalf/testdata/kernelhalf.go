package a

import "github.com/twiddle-go/twiddle/nd"

func found1() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
half h = x[i];
half z = h * 0.5; // want "\\[warn TWK05\\] .*0.5 is a float, so the half beside it becomes one too: write 0.5h"
y[i] = z;`}
}

func found2() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
half h = x[i];
h += 1.5f; // want "1.5f is a float"
y[i] = h;`}
}

func found3() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
half h = x[i];
if (h > 0.0f) y[i] = h; // want "0.0f is a float"`}
}

func found4() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
half2 h = half2(x[i], x[i + 1]);
h = 2.0 * h; // want "2.0 is a float"
y[i] = h.x;`}
}

func found5() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
half h = x[i];
y[i] = max(h, 0.0f); // want "0.0f is a float"`}
}

func found6() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
half a = x[i], b = x[i + 1];
y[i] = (a + b) * 0.1f; // want "0.1f is a float"`}
}

func fine1() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
half h = x[i];
y[i] = h * 0.5h;`}
}

func fine2() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
float f = x[i];
y[i] = f * 0.5f;`}
}

func fine3() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
half h = 0.5f;
y[i] = h;`}
}

func fine4() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
half h = x[i];
y[i] = float(h) * 0.5f;`}
}

func fine5() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
half h = x[i];
y[i] = h * 2;`}
}

func fine6() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
y[i] = x[i] * 0.5f;`}
}

func fine7() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
half h = x[i];
//twiddle:ignore TWK05 the sum needs float
y[i] = h * 0.5f;`}
}
