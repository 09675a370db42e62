package a

import "github.com/twiddle-go/twiddle/nd"

func found1() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
float a[4] = {1, 2, 3, 4};
y[i] = a[i % 4]; // want "\\[warn TWK02\\] .*a is indexed by a value that is not constant"`}
}

func found2() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
float acc[8];
for (uint j = 0; j < x_shape[0]; j++) {
    acc[j] = x[j]; // want "acc is indexed"
}
y[i] = acc[0];`}
}

func found3() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
int k = x[i];
int seen[16];
seen[k] = 1; // want "seen is indexed"
y[i] = seen[0];`}
}

func found4() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
float m[2][2];
m[0][i & 1] = 1; // want "m is indexed"
y[i] = m[0][0];`}
}

func found5() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
float t[4];
int j = 0;
while (j < 4) {
    t[j] = x[i]; // want "t is indexed"
    j++;
}
y[i] = t[0];`}
}

func found6() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
thread float b[2];
b[thread_index_in_simdgroup & 1] = x[i]; // want "b is indexed"
y[i] = b[0];`}
}

func fine1() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
float a[4] = {1, 2, 3, 4};
y[i] = a[0] + a[3];`}
}

func fine2() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
float acc[8];
for (int j = 0; j < 8; j++) {
    acc[j] = x[i * 8 + j];
}
y[i] = acc[7];`}
}

func fine3() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_threadgroup.x;
threadgroup float tile[64];
tile[i] = x[i];
threadgroup_barrier(mem_flags::mem_threadgroup);
y[i] = tile[63 - i];`}
}

func fine4() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
float acc[K];
for (int j = 0; j < K; j++) {
    acc[j] = x[i * K + j];
}
y[i] = acc[0];`}
}

func fine5() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
y[i] = x[y_shape[0] - i];`}
}

func fine6() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
float a[4];
for (int j = 0; j < 2; j++) {
    a[2 * j + 1] = x[i];
    a[2 * j] = 0;
}
y[i] = a[3];`}
}

func fine7() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
const int k = 2;
float a[4] = {1, 2, 3, 4};
y[i] = a[k + 1];`}
}

func found7() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
float a[9];
for (int j = 0; j + x_shape[0] < 8; j++)
    a[j] = x[i]; // want "a is indexed"
y[i] = a[0];`}
}

func fine8() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
float a[COUNT];
for (int j = 0; j < COUNT; j++)
    a[j] = x[COUNT * i + j];
for (int s = 0; s < COUNT; s++) {
    float first = a[0];
    for (int t = 0; t + 1 < COUNT; t++)
        a[t] = a[t + 1];
    a[COUNT - 1] = first;
}
for (int j = 7; 0 <= j - 1; j--)
    a[j] -= a[j - 1];
y[i] = a[0];`}
}
