//go:build !amd64

package vec

func accelerate(*Table) {}
