package cuda

import (
	"testing"
	"time"
)

// A short nap is no longer than it has to be: the least of many, since other work may run.
func TestNap(t *testing.T) {
	least := time.Hour
	for range 50 {
		start := time.Now()
		nap(50 * time.Microsecond)
		least = min(least, time.Since(start))
	}
	if least < 50*time.Microsecond || least > 600*time.Microsecond {
		t.Errorf("50 us took %v", least)
	}
}
