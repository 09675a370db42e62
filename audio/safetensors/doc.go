// Package safetensors reads and writes .safetensors files: named tensors and string
// metadata, in a format that contains only data.
//
// A [File] is the content of such a file. [Values] converts the bytes of a [Tensor]
// to a Go slice; [From] makes a Tensor from a slice.
//
// Reading does not trust the file. The header is bounded, a tensor's bytes must
// be as many as its shape and dtype say, and tensors must lie behind each other
// without gaps or overlaps up to the end of the file. Writing to a name goes
// through a temporary file, so a file that was there stays whole if anything
// fails.
package safetensors
