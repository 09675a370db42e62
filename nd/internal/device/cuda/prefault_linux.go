package cuda

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Memory that was never written to has no pages yet. They are made one by one where
// it is first touched, which takes longer than the link to the GPU takes to fill
// them: so large ones are asked for, and all pages of a part at once.

// hugePage is the size of a large page on amd64 and, with small pages of 4 KiB, on
// arm64.
const hugePage = 2 << 20

// wantHugePages asks for large pages where they fit in.
func wantHugePages(b []byte) {
	if len(b) < 4*hugePage {
		return
	}
	if b = within(b, hugePage); len(b) > 0 {
		_ = unix.Madvise(b, unix.MADV_HUGEPAGE) // small ones do where there are no others
	}
}

// populate makes sure that memory has pages, which it is about to need.
func populate(b []byte) {
	b = within(b, os.Getpagesize())
	if len(b) == 0 {
		return
	}
	var there [1]byte
	_, _, errno := unix.Syscall(unix.SYS_MINCORE, uintptr(unsafe.Pointer(&b[0])), uintptr(os.Getpagesize()), uintptr(unsafe.Pointer(&there[0])))
	if errno == 0 && there[0]&1 == 0 {
		_ = unix.Madvise(b, unix.MADV_POPULATE_WRITE) // from Linux 5.14 on
	}
}

// within is the part of b that is whole pages.
func within(b []byte, page int) []byte {
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(b))) & uintptr(page-1))
	if skip >= len(b) {
		return nil
	}
	b = b[skip:]
	return b[:len(b)&^(page-1)]
}
