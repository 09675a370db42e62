//go:build !amd64 && !arm64

package vec

func accelerate(*Table) {}
