package a

import "github.com/twiddle-go/twiddle/nd"

func found1() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_threadgroup.x;
if (i < 16) {
    threadgroup_barrier(mem_flags::mem_none); // want "\\[error TWK04\\] .*threadgroup_barrier inside a condition that differs between threads"
}
y[i] = x[i];`}
}

func found2() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
if (i >= x_shape[0]) return;
threadgroup_barrier(mem_flags::mem_none); // want "after a return that only some threads take"
y[i] = x[i];`}
}

func found3() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_threadgroup.x;
for (uint j = 0; j < i; j++) {
    threadgroup_barrier(mem_flags::mem_none); // want "inside a loop that threads leave at different times"
}
y[i] = x[i];`}
}

func found4() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_threadgroup.x;
for (uint j = 0; j < 8; j++) {
    if (x[i + j] > 0) break;
    threadgroup_barrier(mem_flags::mem_none); // want "inside a loop that threads leave"
}
y[i] = x[i];`}
}

func found5() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint lane = thread_index_in_simdgroup;
bool odd = (lane & 1) == 1;
if (odd) {
    simdgroup_barrier(mem_flags::mem_none); // want "simdgroup_barrier inside a condition"
}
y[lane] = x[lane];`}
}

func found6() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_threadgroup.x;
int steps = 0;
if (x[i] > 0) steps = 4;
while (steps > 0) {
    threadgroup_barrier(mem_flags::mem_none); // want "inside a loop"
    steps--;
}
y[i] = x[i];`}
}

func found7() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `if (simdgroup_index_in_threadgroup == 0) {
    threadgroup_barrier(mem_flags::mem_none); // want "inside a condition"
}
y[0] = x[0];`}
}

func fine1() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_threadgroup.x;
threadgroup_barrier(mem_flags::mem_none);
if (i < 16) y[i] = x[i];`}
}

func fine2() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_threadgroup.x;
if (threadgroup_position_in_grid.x == 0) {
    threadgroup_barrier(mem_flags::mem_none);
}
y[i] = x[i];`}
}

func fine3() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_threadgroup.x;
for (uint j = 0; j < 8; j++) {
    threadgroup_barrier(mem_flags::mem_none);
}
y[i] = x[i];`}
}

func fine4() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_threadgroup.x;
for (uint s = threads_per_threadgroup.x / 2; s > 0; s >>= 1) {
    if (i < s) y[i] = x[i];
    threadgroup_barrier(mem_flags::mem_none);
}`}
}

func fine5() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `if (simdgroup_index_in_threadgroup == 0) {
    simdgroup_barrier(mem_flags::mem_none);
}
y[0] = x[0];`}
}

func fine6() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_threadgroup.x;
if (N > 4) {
    threadgroup_barrier(mem_flags::mem_none);
}
y[i] = x[i];`}
}

func fine7() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `if (x_shape[0] < 4) return;
threadgroup_barrier(mem_flags::mem_none);
y[0] = x[0];`}
}
