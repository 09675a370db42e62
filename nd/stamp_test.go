package nd_test

import (
	"context"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/nd"
)

func TestStamps(t *testing.T) {
	ctx := context.Background()
	s, err := nd.CPU().NewStream()
	if err != nil {
		t.Fatal(err)
	}
	x := nd.Uniform(1, nd.Float32, 1<<20).On(s)
	began := time.Now()
	from := s.Stamp()
	y := x.Exp().Sum()
	if err := nd.Eval(ctx, y); err != nil {
		t.Fatal(err)
	}
	took, err := s.Stamp().Since(ctx, from)
	if most := time.Since(began); err != nil || took <= 0 || took > most {
		t.Errorf("%v of %v, %v", took, most, err)
	}
	if _, err := nd.CPU().Stream().Stamp().Since(ctx, from); err == nil {
		t.Error("stamps of two streams were compared")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Stamp().Since(ctx, from); err == nil {
		t.Error("a closed stream was stamped")
	}
}
