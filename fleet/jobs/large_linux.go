package jobs

import (
	"os"
	"syscall"
	"unsafe"
)

// large makes room for so many numbers, in huge pages where the kernel has
// them: lines that are far apart are written side by side, and small pages
// would be most of the time.
func large(n int) []complex64 {
	z := make([]complex64, n)
	if n == 0 {
		return z
	}
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&z[0])), 8*n)
	page := os.Getpagesize()
	skip := int(-uintptr(unsafe.Pointer(&z[0])) & uintptr(page-1))
	if whole := (len(bytes) - skip) &^ (page - 1); whole > 0 {
		// Refused where there are none; small ones do then.
		_ = syscall.Madvise(bytes[skip:skip+whole], syscall.MADV_HUGEPAGE)
	}
	return z
}
