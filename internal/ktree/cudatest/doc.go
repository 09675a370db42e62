// Package cudatest compiles and runs CUDA text in tests, where NVRTC or a GPU
// is installed. It is a test's tool, not a device: every call copies all of
// its memory.
package cudatest
