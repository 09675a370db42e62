//go:build linux && (amd64 || arm64)

package clib

import (
	"runtime"
	"strings"
	"sync"
	"testing"
	"unsafe"
)

// TestMissingLibraryIsNamed opens a library that is not there from many goroutines, which
// the scheduler moves between threads.
func TestMissingLibraryIsNamed(t *testing.T) {
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 2000 {
				if _, err := Open("libnothere.so.7", Local); err == nil || !strings.Contains(err.Error(), "libnothere") {
					t.Errorf("got %v", err)
					return
				}
			}
		})
	}
	all.Wait()
	if _, _, err := OpenFirst(nil, Local); err == nil {
		t.Error("none of no paths was opened")
	}
}

// TestCalls calls functions of the C library, and one of them calls back.
func TestCalls(t *testing.T) {
	l, path, err := OpenFirst([]string{"libnothere.so.7", "libc.so.6"}, Global)
	if err != nil {
		t.Skip(err)
	}
	if path != "libc.so.6" {
		t.Errorf("opened %s", path)
	}
	var labs, qsort uintptr
	if missing := l.Symbols(map[string]*uintptr{"labs": &labs, "qsort": &qsort}); missing != "" {
		t.Fatalf("no %s", missing)
	}
	var none uintptr
	if missing := l.Symbols(map[string]*uintptr{"labs": &labs, "twiddle_a": &none, "twiddle_b": &none}); missing != "twiddle_a" || none != 0 {
		t.Errorf("missing: %q, %#x", missing, none)
	}
	if got := Call(labs, ^uintptr(6)); got != 7 {
		t.Errorf("labs(-7) is %d", got)
	}
	if n := testing.AllocsPerRun(100, func() { CallHot(labs, 1) }); n != 0 {
		t.Errorf("a hot call allocates %v times", n)
	}
	numbers := []uint64{3, 1, 2}
	at := func(p uintptr) uint64 { return **(**uint64)(unsafe.Pointer(&p)) }
	order := Callback(func(a, b uintptr) uintptr { return uintptr(int(at(a)) - int(at(b))) })
	Call(qsort, uintptr(unsafe.Pointer(&numbers[0])), 3, 8, order)
	runtime.KeepAlive(numbers)
	if numbers[0] != 1 || numbers[1] != 2 || numbers[2] != 3 {
		t.Errorf("sorted: %v", numbers)
	}
}
