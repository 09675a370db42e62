// Package recipe says how a transform length is factored.
//
// A recipe is a value: a small tree that can be printed, compared, written to
// a file and parsed again. It knows lengths and radices and nothing about
// memory or instructions; package transform builds something executable from
// it, and the generator of GPU kernels writes a kernel by it. One engine serves
// all targets: it knows the methods (passes, four-step, Rader, Bluestein, packed
// real lines), and a target knows what their parts cost. [For] picks a recipe for
// a CPU by a deterministic cost model, [Candidates] lists the best few for someone
// who wants to measure. [GPU.For] picks one for a GPU, [GPU.Launches] says which
// kernels it takes. What was measured to be fastest on an architecture is data,
// in the folder tuned.
//
// The words: a pass is one sweep over the data with butterflies of one radix;
// a turn exchanges the roles of columns and rows between two passes (a
// transpose with twiddles), so that every pass runs across neighbouring
// elements. On a GPU some threads share a line: "mixed 16.16.8@128" is three
// passes by 128 threads. "@32x8/1024" adds that a block takes 8 lines, and that a
// multiprocessor should hold 1024 threads; "=" at the end that threads store two numbers at
// once behind the first pass.
package recipe
