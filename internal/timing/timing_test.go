package timing

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"
)

func TestCompareTakesTurns(t *testing.T) {
	var order []string
	counting := func(name string, ns time.Duration) Contender {
		return Contender{Name: name, Run: func(reps int) {
			order = append(order, name)
			time.Sleep(time.Duration(reps) * ns)
		}}
	}
	ns, err := Compare(context.Background(), Options{Rounds: 4, Slice: time.Millisecond},
		counting("a", time.Millisecond), counting("b", 3*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	if len(ns) != 2 || ns[0] < 1e6 || ns[1] < 3e6 {
		t.Fatalf("best times %v: below what the work sleeps", ns)
	}
	if got, want := strings.Join(order[len(order)-8:], ""), "abbaabba"; got != want {
		t.Errorf("turns %s, want %s", got, want)
	}
}

func TestCompareStopsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	runs := 0
	_, err := Compare(ctx, Options{Rounds: 1000}, Contender{Run: func(int) {
		if runs++; runs == 5 {
			cancel()
		}
		time.Sleep(2 * time.Millisecond)
	}})
	if !errors.Is(err, context.Canceled) || runs != 5 {
		t.Errorf("err %v after %d runs, want context.Canceled after 5", err, runs)
	}
}

func TestRatio(t *testing.T) {
	for _, c := range []struct{ ours, peer, want float64 }{
		{2, 3, 1.5}, {3, 0, 0}, {0, 3, 0}, {math.Inf(1), 1, 0}, {1, math.Inf(1), 0},
	} {
		if got := Ratio(c.ours, c.peer); got != c.want {
			t.Errorf("Ratio(%v, %v) = %v, want %v", c.ours, c.peer, got, c.want)
		}
	}
}

func TestTable(t *testing.T) {
	table := NewTable("n", "time", "ratio")
	table.Row(64, Nanoseconds(48.2), 1.23456)
	table.Row(1048576, Nanoseconds(9.75e6), "-")
	table.Row("µ")
	var b strings.Builder
	if _, err := table.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	want := "" +
		"      n       time  ratio\n" +
		"     64      48 ns   1.23\n" +
		"1048576  9750.0 us      -\n" +
		"      µ\n"
	if b.String() != want {
		t.Errorf("table:\n%s\nwant:\n%s", b.String(), want)
	}
}

func TestWriteJSON(t *testing.T) {
	var b strings.Builder
	v := map[string]any{"a": []string{"in0 -> out0", "[", "1"}, "b": []float64{1, -2.5e-9}, "c": [][]int{{1, 2}, {}, {3}}, "d": "[\n1\n]"}
	if err := WriteJSON(&b, v); err != nil {
		t.Fatal(err)
	}
	const want = `{
  "a": [
    "in0 -> out0",
    "[",
    "1"
  ],
  "b": [1, -2.5e-9],
  "c": [
    [1, 2],
    [],
    [3]
  ],
  "d": "[\n1\n]"
}
`
	if b.String() != want {
		t.Errorf("%s\nwant %s", b.String(), want)
	}
}

func TestNanoseconds(t *testing.T) {
	for _, c := range []struct {
		ns   float64
		want string
	}{
		{0, "-"}, {math.NaN(), "-"}, {math.Inf(1), "-"}, {12.4, "12 ns"}, {12400, "12.4 us"}, {12.4e6, "12.4 ms"}, {12.4e9, "12.40 s"},
	} {
		if got := Nanoseconds(c.ns); got != c.want {
			t.Errorf("Nanoseconds(%v) = %q, want %q", c.ns, got, c.want)
		}
	}
}

func TestPinAndUnpin(t *testing.T) {
	unpin, err := Pin()
	if err != nil {
		t.Skip(err)
	}
	unpin()
	again, err := Pin()
	if err != nil {
		t.Fatalf("pinning again after unpin: %v", err)
	}
	again()
}
