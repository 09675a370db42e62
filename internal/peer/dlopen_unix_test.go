//go:build (linux || darwin || freebsd) && (amd64 || arm64)

package peer

import (
	"strings"
	"sync"
	"testing"
)

// TestMissingLibraryIsNamed opens a library that is not there from many goroutines, which
// the scheduler moves between threads.
func TestMissingLibraryIsNamed(t *testing.T) {
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 2000 {
				if _, err := dlopen("libnothere.so.7"); err == nil || !strings.Contains(err.Error(), "libnothere") {
					t.Errorf("got %v", err)
					return
				}
			}
		})
	}
	all.Wait()
}
