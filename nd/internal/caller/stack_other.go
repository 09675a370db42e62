//go:build !amd64 && !arm64

package caller

// returns finds nothing: there are no frame pointers.
func returns(*chain) int { return 0 }
