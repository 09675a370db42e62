package cpu

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// hugePage is the page size the kernel uses for MADV_HUGEPAGE on amd64 and,
// with 4 KiB base pages, on arm64.
const hugePage = 2 << 20

// mapMemory gets memory from the kernel, backed by huge pages where it can
// be: a transposed access to small pages spends its time in page walks.
func mapMemory(bytes int) (mem, mapping []byte, err error) {
	extra := 0
	if bytes >= hugePage {
		extra = hugePage
	}
	mapping, err = unix.Mmap(-1, 0, bytes+extra, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil, nil, err
	}
	skip := 0
	if extra > 0 {
		skip = int(-uintptr(unsafe.Pointer(&mapping[0])) & (hugePage - 1))
		// Refused where the kernel has no huge pages; small ones do then.
		_ = unix.Madvise(mapping[skip:], unix.MADV_HUGEPAGE)
	}
	return mapping[skip : skip+bytes : skip+bytes], mapping, nil
}

func unmapMemory(mapping []byte) {
	// Only fails for a range that was never mapped.
	_ = unix.Munmap(mapping)
}
