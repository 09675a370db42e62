package main

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd"
)

// spots are the experiments of bench spot, in the order they are printed.
var spots = []spot{
	{
		name:  "division",
		shows: "A flat grid finds row and column by integer division in every thread; a 2-D grid hands them over.",
		first: body("flat grid, / and %", `uint i = thread_position_in_grid.x;
uint row = i / uint(x_shape[1]);
uint column = i % uint(x_shape[1]);
y[row * SIDE + column] = x[row * SIDE + column] * (row + column);`, flatGrid),
		second: body("2-D grid", `uint2 at = thread_position_in_grid.xy;
y[at.y * SIDE + at.x] = x[at.y * SIDE + at.x] * (at.x + at.y);`, squareGrid),
		prepare: square,
	},
	{
		name:  "local array",
		shows: "A local array indexed by a variable must live in memory; unrolled, its elements are registers.",
		first: body("dynamic index", `uint i = thread_position_in_grid.x;
float v[4];
for (uint k = 0; k < 4; k++)
    v[(k + i) & 3] = x[i] * (k + 1);
float s = 0;
for (uint k = 0; k < 4; k++)
    s += v[(k + i) & 3];
y[i] = s;`, flatGrid),
		second: body("unrolled", `uint i = thread_position_in_grid.x;
float a = x[i];
float b = x[i] * 2;
float c = x[i] * 3;
float d = x[i] * 4;
y[i] = a + b + c + d;`, flatGrid),
		prepare: square,
	},
	{
		name:  "barrier scope",
		shows: "Threads that only meet within a simdgroup need no barrier of the whole group; on the CPU, where groups run in lockstep, both are free.",
		first: body("threadgroup_barrier", `threadgroup float tile[256];
uint t = thread_index_in_threadgroup;
uint i = thread_position_in_grid.x;
float s = x[i];
for (uint k = 1; k < 32; k *= 2) {
    tile[t] = s;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    s += tile[t ^ k];
    threadgroup_barrier(mem_flags::mem_threadgroup);
}
y[i] = s;`, flatGrid),
		second: body("simdgroup_barrier", `threadgroup float tile[256];
uint t = thread_index_in_threadgroup;
uint i = thread_position_in_grid.x;
float s = x[i];
for (uint k = 1; k < 32; k *= 2) {
    tile[t] = s;
    simdgroup_barrier(mem_flags::mem_threadgroup);
    s += tile[t ^ k];
    simdgroup_barrier(mem_flags::mem_threadgroup);
}
y[i] = s;`, flatGrid),
		prepare: square,
	},
	{
		name:    "half",
		shows:   "Half-precision storage halves the bytes while sums stay in float; what it costs is converting.",
		first:   halfIO("float in and out", nd.Float32),
		second:  halfIO("half in and out, float sums", nd.Float16),
		prepare: square,
	},
	{
		name:  "select",
		shows: "A branch that neighbours take differently runs both ways under a mask; select computes both and keeps one.",
		first: body("branch", `uint i = thread_position_in_grid.x;
float v = x[i];
if (v > 0.5f)
    v = v * 3 - 1;
else
    v = v * v + 1;
y[i] = v;`, flatGrid),
		second: body("select", `uint i = thread_position_in_grid.x;
float v = x[i];
y[i] = select(v * v + 1, v * 3 - 1, v > 0.5f);`, flatGrid),
		prepare: square,
	},
	{
		name:  "outputs per thread",
		shows: "A thread that makes four outputs works its index out once; on the CPU lanes share it anyway, and there is little to win.",
		first: body("one", `uint i = thread_position_in_grid.x;
y[i] = x[i] * x[i] + 1;`, flatGrid),
		second: body("four", `uint n = threads_per_grid.x;
uint i = thread_position_in_grid.x;
y[i] = x[i] * x[i] + 1;
y[i + n] = x[i + n] * x[i + n] + 1;
y[i + 2 * n] = x[i + 2 * n] * x[i + 2 * n] + 1;
y[i + 3 * n] = x[i + 3 * n] * x[i + 3 * n] + 1;`, fewerGrid),
		prepare: square,
	},
	{
		name:  "coalesced",
		shows: "Neighbours that read far apart fetch a whole cache line each for one number.",
		first: body("strided", `uint2 at = thread_position_in_grid.xy;
y[at.x * SIDE + at.y] = x[at.x * SIDE + at.y] + 1;`, squareGrid),
		second: body("coalesced", `uint2 at = thread_position_in_grid.xy;
y[at.y * SIDE + at.x] = x[at.y * SIDE + at.x] + 1;`, squareGrid),
		prepare: square,
	},
	{
		name:   "compiled once",
		shows:  "A kernel is compiled when its text is first seen; text made anew for every call is compiled every time.",
		first:  fresh("new text every call", true),
		second: fresh("one text", false),
		prepare: func(n int) []*nd.Array {
			return square(64) // small, so that the compiler shows
		},
	},
}

// halfIO sums neighbours, reading and writing elements of type t.
func halfIO(label string, t nd.DType) variant {
	const source = `uint i = thread_position_in_grid.x;
float s = 0;
for (int k = 0; k < 4; k++)
    s += float(x[min(i + k, uint(SIDE * SIDE - 1))]);
y[i] = T(s * 0.25f);`
	var input *nd.Array
	return variant{label, func(in []*nd.Array, n, run int) *nd.Array {
		if run == 0 || input == nil || input.Dim(0) != n {
			input = in[0].Cast(t) // outside the rounds that count
		}
		return (&nd.Kernel{Name: "spot", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: source}).Call(nd.Launch{
			Inputs: []*nd.Array{input}, Shapes: [][]int{{n, n}}, Grid: [3]int{n * n}, Threadgroup: [3]int{256},
			Template: map[string]any{"SIDE": n, "T": t}})[0]
	}}
}

var made int

// fresh runs a kernel whose text is the same, or new, every time.
func fresh(label string, anew bool) variant {
	return variant{label, func(in []*nd.Array, _, _ int) *nd.Array {
		source := "uint i = thread_position_in_grid.x;\ny[i] = exp(-x[i] * x[i]) + sin(x[i]);"
		if anew {
			made++
			source += fmt.Sprintf("\n// %d", made)
		}
		k := nd.Kernel{Name: "spot", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: source}
		return k.Call(nd.Launch{Inputs: in, Shapes: [][]int{in[0].Shape()}, Grid: [3]int{in[0].Len()}})[0]
	}}
}
