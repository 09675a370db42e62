//go:build !amd64 && !arm64

package pair

import "github.com/twiddle-go/twiddle/internal/simd"

func vectors(simd.Level) (Table, bool) { return Table{}, false }
