//go:build !linux || !amd64

package cudatest

import "errors"

var errOnlyLinux = errors.New("NVRTC and GPUs are looked for on linux/amd64 only")

// Compiler is not available here.
type Compiler struct{}

// GPU is not available here.
type GPU struct{ Arch string }

// OpenCompiler fails.
func OpenCompiler() (*Compiler, error) { return nil, errOnlyLinux }

// OpenGPU fails.
func OpenGPU() (*GPU, error) { return nil, errOnlyLinux }

// PTX fails.
func (*Compiler) PTX(text, arch string) ([]byte, error) { return nil, errOnlyLinux }

// Run fails.
func (*GPU) Run(ptx []byte, kernel string, blocks, block [3]int, args ...any) error {
	return errOnlyLinux
}

// RunReading fails.
func (*GPU) RunReading(variables map[string][]byte, ptx []byte, kernel string, blocks, block [3]int, args ...any) error {
	return errOnlyLinux
}
