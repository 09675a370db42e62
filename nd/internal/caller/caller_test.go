package caller

import (
	"fmt"
	"runtime"
	"testing"
)

// line is the line that calls it.
func line() string {
	_, file, at, _ := runtime.Caller(1)
	return fmt.Sprintf("%s:%d", file, at)
}

// Each line has its own site, also the second time, on another goroutine, and below more frames than a chain has.
func TestSite(t *testing.T) {
	check := func(got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("site %s, want %s", got, want)
		}
	}
	both := func() {
		for range 2 {
			check(Of("add").Site, line())
			check(Of("add").Site, line())
			a, b, c := Site("nd"), Site("signal"), line()
			check(a, c)
			check(b, c)
		}
	}
	both()
	done := make(chan bool)
	go func() {
		both()
		close(done)
	}()
	<-done
	var below func(n int)
	below = func(n int) {
		if n == 0 {
			both()
			return
		}
		below(n - 1)
	}
	below(5)
	below(2 * len(chain{}))
}

// A chain ends where its goroutine begins, and tells lines of a function apart.
func TestReturns(t *testing.T) {
	var a, b chain
	n, m := chainOf(&a), chainOf(&b)
	if n == 0 {
		t.Skipf("%s keeps no frame pointers", runtime.GOARCH)
	}
	if n != m || a[0] == b[0] || a[n-1] != b[n-1] || runtime.FuncForPC(a[n-1]).Name() != "runtime.goexit" {
		t.Errorf("%x and %x", a[:n], b[:m])
	}
}

//go:noinline
func chainOf(c *chain) int { return returns(c) }

func BenchmarkSite(b *testing.B) {
	var below func(n int)
	below = func(n int) {
		if n == 0 {
			for b.Loop() {
				Of("add")
			}
			return
		}
		below(n - 1)
	}
	below(12)
}
