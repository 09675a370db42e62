package handoff

import "testing"

func TestSpin(t *testing.T) {
	asked := 0
	if !Spin(func() bool { asked++; return asked == 5 }) || asked != 5 {
		t.Errorf("asked %d times", asked)
	}
	if Spin(func() bool { return false }) {
		t.Error("nothing was done")
	}
}

// Push never blocks, however often it is called.
func TestPush(t *testing.T) {
	woken := make(chan struct{}, 1)
	done := make(chan struct{})
	go func() { <-woken; close(done) }()
	for range 10 * idlers {
		Push()
	}
	woken <- struct{}{}
	Push()
	<-done
}
