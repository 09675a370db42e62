package a

import "github.com/twiddle-go/twiddle/nd"

func found1() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_threadgroup.x;
threadgroup float t[64];
t[i] = x[i];
threadgroup_barrier(mem_flags::mem_device); // want "\\[warn TWK03\\] .*orders device memory, and no thread reads what another wrote there: mem_flags::mem_threadgroup is enough"
y[i] = t[63 - i];`}
}

func found2() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_threadgroup.x;
threadgroup float t[64];
t[i] = x[i];
threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup); // want "orders device memory"
y[i] = t[63 - i];`}
}

func found3() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
y[i] = x[i];
threadgroup_barrier(mem_flags::mem_device); // want "mem_flags::mem_none is enough"`}
}

func found4() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
threadgroup_barrier(mem_flags::mem_threadgroup); // want "orders threadgroup memory, and the kernel has none"
y[i] = simd_sum(x[i]);`}
}

func found5() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_threadgroup.x;
threadgroup float t[64];
for (int j = 0; j < 4; j++) {
    t[i] += x[i + j];
    threadgroup_barrier(mem_flags::mem_device); // want "orders device memory"
}
y[i] = t[0];`}
}

func found6() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_threadgroup.x;
threadgroup float2 t[64];
t[i].x = x[i];
threadgroup_barrier( mem_flags::mem_threadgroup|mem_flags::mem_device ); // want "orders device memory"
y[i] = t[i].x; z[i] = t[i].y;`}
}

func fine1() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_threadgroup.x;
threadgroup float t[64];
t[i] = x[i];
threadgroup_barrier(mem_flags::mem_threadgroup);
y[i] = t[63 - i];`}
}

func fine2() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_threadgroup.x;
y[i] = x[i];
threadgroup_barrier(mem_flags::mem_device);
z[i] = y[63 - i];`}
}

func fine3() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_threadgroup.x;
y[i] += x[i];
threadgroup_barrier(mem_flags::mem_device);
z[i] = 1;`}
}

func fine4() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_threadgroup.x;
y[i] = x[i];
threadgroup_barrier(mem_flags::mem_none);`}
}

func fine5() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_threadgroup.x;
atomic_fetch_add_explicit(&y[0], 1, memory_order_relaxed);
threadgroup_barrier(mem_flags::mem_device);
z[i] = 1;`}
}

func fine6() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_threadgroup.x;
device float* p = y + 1;
p[i] = x[i];
threadgroup_barrier(mem_flags::mem_device);
z[i] = p[0];`}
}

func fine7() nd.Kernel {
	return nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: `uint i = thread_position_in_grid.x;
simdgroup_barrier(mem_flags::mem_none);
y[i] = x[i];`}
}
