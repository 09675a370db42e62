//go:build !linux

package hostile

func limitMemory() {}
