//go:build !linux

package render_test

import "testing"

func compileCUDA(t *testing.T, text, arch string) {
	t.Skip("NVRTC is looked for on linux only")
}
