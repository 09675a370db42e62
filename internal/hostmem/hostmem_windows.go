package hostmem

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// memoryStatus is MEMORYSTATUSEX of the Windows API.
type memoryStatus struct {
	length, load                uint32
	totalPhysical               uint64
	availablePhysical           uint64
	totalPage, availablePage    uint64
	totalVirtual, availableVirt uint64
	availableExtended           uint64
}

// physical is the machine's memory, 0 if unknown.
func physical() int {
	query := windows.NewLazySystemDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx")
	if query.Find() != nil {
		return 0
	}
	var s memoryStatus
	s.length = uint32(unsafe.Sizeof(s))
	if ok, _, _ := query.Call(uintptr(unsafe.Pointer(&s))); ok == 0 {
		return 0
	}
	return int(s.totalPhysical)
}
