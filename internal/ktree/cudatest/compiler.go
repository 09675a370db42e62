package cudatest

import "github.com/twiddle-go/twiddle/internal/cuda/driver"

// Compiler is NVIDIA's run-time compiler. It needs no GPU.
type Compiler struct{ nvrtc *driver.Compiler }

// OpenCompiler finds NVRTC.
func OpenCompiler() (*Compiler, error) {
	version := 0
	if d, err := driver.Open(); err == nil {
		version = d.Version()
	}
	c, err := driver.OpenCompiler(90, version)
	return &Compiler{c}, err
}

// PTX compiles text for an architecture such as compute_80, without fusing
// multiplications and additions that the text keeps apart.
func (c *Compiler) PTX(text, arch string) ([]byte, error) {
	return c.nvrtc.PTX("kernel.cu", text, append([]string{"--gpu-architecture=" + arch}, driver.Language...)...)
}
