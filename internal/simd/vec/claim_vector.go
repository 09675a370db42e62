//go:build amd64 || arm64

package vec

import "unsafe"

// claimRows asks for the cache lines of Claim.
//
//go:noescape
func claimRows(at unsafe.Pointer, step, rows, bytes int)
