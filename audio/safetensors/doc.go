// Package safetensors reads and writes .safetensors files: named tensors and a
// few words about them, in a form that holds nothing but data.
//
// A [File] is what such a file holds. [Values] turns the bytes of a [Tensor]
// into a Go slice; [From] goes the other way.
//
// Reading does not trust the file. The header is bounded, a tensor's bytes must
// be as many as its shape and dtype say, and tensors must lie behind each other
// without gaps or overlaps up to the end of the file. Writing to a name goes
// through a temporary file, so a file that was there stays whole if anything
// fails.
package safetensors
