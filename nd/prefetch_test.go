package nd_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync/atomic"
	"testing"

	"github.com/twiddle-go/twiddle/nd"
)

func ExamplePrefetch() {
	batches := func(yield func(*nd.Array, error) bool) {
		for i := range 3 {
			if !yield(nd.Full(float64(i), nd.Float32, 4).Exp(), nil) {
				return
			}
		}
	}
	for batch, err := range nd.Prefetch(batches, 2) {
		if err != nil {
			fmt.Println(err)
			return
		}
		sum, _ := nd.Item[float32](context.Background(), batch.Sum())
		fmt.Printf("%.2f\n", sum)
	}
	// Output:
	// 4.00
	// 10.87
	// 29.56
}

func ExamplePrefetchAll() {
	batches := func(yield func([]*nd.Array, error) bool) {
		for i := range 2 {
			x := nd.Full(float64(i), nd.Float32, 4)
			if !yield([]*nd.Array{x, x.AddScalar(1)}, nil) {
				return
			}
		}
	}
	for batch, err := range nd.PrefetchAll(batches, 2) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(batch[0], batch[1])
	}
	// Output:
	// [0. 0. 0. 0.] [1. 1. 1. 1.]
	// [1. 1. 1. 1.] [2. 2. 2. 2.]
}

func ExampleStream_Then() {
	s, _ := nd.CPU().NewStream()
	defer s.Close()
	x := nd.Ones(nd.Float32, 1000).On(s).Exp()
	nd.Async(x)
	done := make(chan string)
	_ = s.Then(func() { done <- "the stream is done" })
	fmt.Println(<-done)
	// Output: the stream is done
}

func counting(n int, pulled *atomic.Int64) iter.Seq2[*nd.Array, error] {
	return func(yield func(*nd.Array, error) bool) {
		for i := range n {
			pulled.Add(1)
			if !yield(nd.Full(float64(i), nd.Float32, 8), nil) {
				return
			}
		}
	}
}

func TestPrefetchKeepsOrderAndDepth(t *testing.T) {
	for _, depth := range []int{1, 2, 5, 50} {
		var pulled atomic.Int64
		i := 0
		for a, err := range nd.Prefetch(counting(20, &pulled), depth) {
			if err != nil {
				t.Fatal(err)
			}
			if ahead := int(pulled.Load()) - i - 1; ahead > depth+1 {
				t.Fatalf("%d batches ahead, depth %d", ahead, depth)
			}
			v, err := nd.Slice[float32](context.Background(), a)
			if err != nil || v[0] != float32(i) {
				t.Fatalf("batch %d is %v, %v", i, v, err)
			}
			i++
		}
		if i != 20 {
			t.Errorf("%d batches", i)
		}
	}
}

func TestPrefetchStopsPulling(t *testing.T) {
	var pulled atomic.Int64
	for range nd.Prefetch(counting(1000, &pulled), 3) {
		break
	}
	n := pulled.Load()
	if n > 6 {
		t.Errorf("%d batches were pulled", n)
	}
	if pulled.Load() != n {
		t.Error("still pulling after the end")
	}
}

func TestPrefetchPassesErrorsOn(t *testing.T) {
	own := errors.New("disk")
	bad := nd.Ones(nd.Float32, 2).Add(nd.Ones(nd.Float32, 3))
	seq := func(yield func(*nd.Array, error) bool) {
		_ = yield(nd.Ones(nd.Float32, 1), nil) && yield(nil, own) && yield(bad, nil) && yield(nil, nil) && yield(nd.Ones(nd.Float32, 1), nil)
	}
	var errs []error
	for _, err := range nd.Prefetch(seq, 2) {
		errs = append(errs, err)
	}
	var op *nd.OpError
	if len(errs) != 5 || errs[0] != nil || !errors.Is(errs[1], own) || !errors.As(errs[2], &op) || errs[3] == nil || errs[4] != nil {
		t.Errorf("errors %v", errs)
	}
	for _, err := range nd.Prefetch(seq, 0) {
		if err == nil {
			t.Error("depth 0 was accepted")
		}
	}
}

// A batch of several arrays is computed before it is given; a bad one is an error in
// its place.
func TestPrefetchAll(t *testing.T) {
	bad := nd.Ones(nd.Float32, 2).Reshape(3)
	batches := func(yield func([]*nd.Array, error) bool) {
		for i := range 3 {
			list := []*nd.Array{nd.Full(float64(i), nd.Float32, 2), nd.Full(1, nd.Float32, 2).Exp()}
			if i == 1 {
				list = []*nd.Array{list[0], bad, nil}
			}
			if !yield(list, nil) {
				return
			}
		}
	}
	var got []string
	for list, err := range nd.PrefetchAll(batches, 2) {
		got = append(got, fmt.Sprint(len(list), err != nil))
	}
	if want := "[2 false 3 true 2 false]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
	for _, err := range nd.PrefetchAll(nil, 1) {
		if err == nil {
			t.Error("no batches: no error")
		}
	}
}
