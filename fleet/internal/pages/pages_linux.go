package pages

import (
	"os"
	"syscall"
	"unsafe"
)

// advise asks for huge pages for the whole pages of b. It is refused where there
// are none; small ones do then.
func advise(b []byte) {
	page := os.Getpagesize()
	skip := int(-uintptr(unsafe.Pointer(&b[0])) & uintptr(page-1))
	if whole := (len(b) - skip) &^ (page - 1); whole > 0 {
		_ = syscall.Madvise(b[skip:skip+whole], syscall.MADV_HUGEPAGE)
	}
}
