//go:build !linux

package cpu

func mapMemory(bytes int) (mem, mapping []byte, err error) {
	return alignedBytes(bytes), nil, nil
}

func unmapMemory([]byte) {}
