package cuda

import (
	"slices"
	"testing"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/cuda/driver"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
)

// mapping is a simulation whose maps are what they were made of.
type mapping struct{ *sim }

func (mapping) HasMaps() bool { return true }

func (mapping) Map(at driver.Pointer, r driver.Runs) (driver.Map, driver.Result) {
	if at%16 != 0 || r.Count > driver.MostAlong {
		return driver.Map{}, driver.InvalidValue
	}
	return driver.Map{uint64(at), uint64(r.Elements), uint64(r.Count), uint64(r.Runs), uint64(r.Apart), 15: 7}, driver.Success
}

// A map among the parameters is made for the address that its buffer has in this launch, and
// takes no words of the others.
func TestMapsOfLaunches(t *testing.T) {
	s := newSim()
	d, err := open("cuda:0", "simulated", mapping{s}, s, s.generate, openCache(""))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	k := &kernel{dev: d, scratch: []int{0, 512}, maps: []kgen.Map{
		{Buffer: kgen.Param{Kind: kgen.ReadPointer, Value: 32}, Elements: 99, Count: 4, Runs: 512, Apart: 64},
		{Buffer: kgen.Param{Kind: kgen.ScratchPointer, Index: 1}, Elements: 5},
	}}
	params := []kgen.Param{{Kind: kgen.Number, Value: 1}, {Kind: kgen.MapOf}, {Kind: kgen.Number, Value: 2}, {Kind: kgen.MapOf, Index: 1}, {Kind: kgen.ReadPointer}}
	st := &step{params: params}
	for _, p := range params {
		st.words += paramWords(p)
	}
	for range 2 {
		b, err := d.Alloc(1 << 10)
		if err != nil {
			t.Fatal(err)
		}
		at := uint64(b.(*buffer).at)
		words, list := make([]uint64, st.words), make([]unsafe.Pointer, len(params))
		if _, r := bind(words, list, k, st, &device.Launch{Reads: []device.Buffer{b}}, 1<<20, 0); r != driver.Success {
			t.Fatal(r)
		}
		for i, want := range [][]uint64{{1}, {at + 32, 99, 4, 512, 64}, {2}, {1<<20 + 512, 5}, {at}} {
			if got := unsafe.Slice((*uint64)(list[i]), len(want)); !slices.Equal(got, want) {
				t.Errorf("parameter %d: %d, want %d", i, got, want)
			}
		}
	}
	k.maps[0].Buffer.Value = 8
	b, _ := d.Alloc(1 << 10)
	if _, r := bind(make([]uint64, st.words), make([]unsafe.Pointer, len(params)), k, st, &device.Launch{Reads: []device.Buffer{b}}, 0, 0); r != driver.InvalidValue {
		t.Errorf("a map that the driver refuses: %v", r)
	}
}

// Where the driver refuses a map, the program is made without.
func TestNoMaps(t *testing.T) {
	for _, c := range []struct {
		gpu   gpu
		count int
		want  []bool
	}{{mapping{newSim()}, 4, []bool{true}}, {mapping{newSim()}, 512, []bool{true, false}}, {newSim(), 4, []bool{false}}} {
		s, plain := c.gpu.(*sim)
		if !plain {
			s = c.gpu.(mapping).sim
		}
		var had []bool
		d, err := open("cuda:0", "simulated", c.gpu, s, func(p ir.Program, card emit.Card) (*emit.Module, error) {
			m, err := s.generate(p, card)
			if had = append(had, card.Maps); card.Maps {
				m.Maps = []kgen.Map{{Count: c.count, Runs: 256, Apart: 1024}}
			}
			return m, err
		}, openCache(""))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Compile(longTransform(64, 1, false)); err != nil || !slices.Equal(had, c.want) {
			t.Errorf("maps %t, %d to a run: made for cards with maps %t, %v", !plain, c.count, had, err)
		}
		_ = d.Close()
	}
}
