package nd

import (
	"errors"
	"sync"
	"testing"
)

// TestCloseWhileEvaluating closes the device under goroutines that use it:
// each gets its result or ErrClosed, and a device opened anew works.
func TestCloseWhileEvaluating(t *testing.T) {
	ctx := soon(t)
	for range 20 {
		dev, err := Open("cpu")
		if err != nil {
			t.Fatal(err)
		}
		var workers sync.WaitGroup
		for w := range 4 {
			workers.Go(func() {
				for i := range 50 {
					x := Full(float64(i), Float32, 1000).Exp()
					var err error
					switch w {
					case 0:
						err = Async(x.Sum()).Wait(ctx)
					case 1:
						err = Look(ctx, x, func(s []float32) error {
							if len(s) != 1000 || s[0] != s[999] {
								t.Errorf("%d elements, %v to %v", len(s), s[0], s[999])
							}
							return nil
						})
					default:
						_, err = Slice[float32](ctx, x.AddScalar(1))
					}
					if err != nil && !errors.Is(err, ErrClosed) {
						t.Errorf("worker %d: %v", w, err)
					}
				}
			})
		}
		if err := dev.Close(); err != nil {
			t.Error(err)
		}
		workers.Wait()
	}
	if err := Eval(ctx, Ones(Float32, 3).AddScalar(1)); err != nil && !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if _, err := Item[float32](ctx, Ones(Float32, 3).On(CPU().Stream()).Sum()); err != nil {
		t.Errorf("opened anew: %v", err)
	}
}
