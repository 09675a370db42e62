package recipe

import (
	"math"
	"slices"
	"strings"
	"testing"
)

var (
	h200  = GPU{Arch: 90, Bits: 32, SharedBytes: 227 << 10}
	h200d = GPU{Arch: 90, Bits: 64, SharedBytes: 227 << 10}
	small = GPU{Arch: 86, Bits: 32, SharedBytes: 99 << 10}
)

func TestForGPU(t *testing.T) {
	for _, c := range []struct {
		n    int
		real bool
		g    GPU
		want string
	}{
		{1, false, h200, "direct 1@1"},
		{13, false, h200, "direct 13@1"},
		{16, false, h200, "mixed 4.4@4"},
		{17, false, h200, "rader 17 (mixed 4.4@4)"},
		{4096, false, h200, "mixed 16.16.16@256"},
		{4096, true, h200, "packed 4096 (mixed 16.16.8@128/896)"},
		{4096, false, h200d, "mixed 16.16.16@256"},
		{1009, false, h200, "rader 1009 (mixed 7.12.12@84)"},
		{1019, false, h200, "bluestein 1019 (mixed 16.16.8@128/896)"}, // 1018 = 2*509
		{16384, false, h200, "mixed 32.32.16@512*"},
		{16384, false, small, "fourstep (mixed 8.16@16x8) (mixed 8.16@16x8)"},
		{44100, false, h200, "fourstep (mixed 15.14@14x16/448) (mixed 15.14@14x16/448)"},
		{44100, true, h200, "packed 44100 (mixed 15.15.14.7@788)"},
		{44100, true, small, "packed 44100 (fourstep (mixed 18.25@25x16) (mixed 7.7@7x32/448))"},
		{88200, true, h200, "packed 88200 (fourstep (mixed 15.14@14x16/448) (mixed 15.14@14x16/448))"},
		{1 << 27, false, h200, "fourstep (mixed 16.8.4@32x8/1024) (fourstep (mixed 16.8.4@32x8/1024) (mixed 16.8.4@32x8/1024))"},
		{100003, false, h200, "bluestein 100003 (fourstep (mixed 14.7@7x32/1024) (mixed 16.16.8@128x1/768+1))"},
	} {
		if r, err := c.g.For(c.n, c.real); err != nil || r.String() != c.want {
			t.Errorf("For(%d, %v) on %+v = %v, %v; want %s", c.n, c.real, c.g, r, err, c.want)
		}
	}
}

// Every length has a recipe that is valid, reads back, and whose launches a GPU
// can do.
func TestEveryGPURecipe(t *testing.T) {
	var lengths []int
	for n := 1; n < 300; n++ {
		lengths = append(lengths, n)
	}
	for n := 300; n < 200000; n += 1 + n/5 {
		lengths = append(lengths, n)
	}
	for _, g := range []GPU{h200, h200d, small} {
		for _, n := range lengths {
			for _, real := range []bool{false, true} {
				r, err := g.For(n, real)
				if err != nil {
					t.Fatal(err)
				}
				if err := r.Validate(); err != nil || r.N != n || !r.OnGPU() {
					t.Fatalf("For(%d, %v) = %v, %v", n, real, r, err)
				}
				if back, err := Parse(r.String()); err != nil || !back.Equal(r) {
					t.Fatalf("%v reads back as %v, %v", r, back, err)
				}
				for _, l := range g.Launches(r) {
					if l.BlockThreads() < 32 || l.BlockThreads() > MaxThreads || l.SharedBytes() > g.SharedBytes || l.Held > 64 {
						t.Errorf("%v: %+v", r, l)
					}
				}
			}
		}
	}
}

func TestGPULengthErrors(t *testing.T) {
	for _, n := range []int{0, -1, MaxGPULen + 1, math.MaxInt} {
		if r, err := h200.For(n, true); err == nil || !strings.Contains(err.Error(), "want 1 to 536870912") {
			t.Errorf("For(%d) = %v, %v", n, r, err)
		}
		if r, err := h200.OnChip(n, false); err == nil {
			t.Errorf("OnChip(%d) = %v", n, r)
		}
		if r, err := h200.InPasses(n, false); err == nil {
			t.Errorf("InPasses(%d) = %v", n, r)
		}
	}
	if g, err := GPUOf("sm_90", 32); err != nil || g.Cluster != 16 || g.SharedBytes != h200.SharedBytes {
		t.Errorf("sm_90 is %+v, %v", g, err)
	}
	if _, err := GPUOf("90", 32); err == nil || !strings.Contains(err.Error(), "sm_80") {
		t.Errorf("no architecture: %v", err)
	}
}

// Measured recipes are data: what is in a table is what is chosen.
func TestTunedTables(t *testing.T) {
	for _, table := range tuned() {
		for n, r := range table.line {
			if got := (GPU{Arch: table.arch, Bits: table.bits, SharedBytes: 227 << 10}).onChip(n, false); !got.Equal(r) {
				t.Errorf("sm_%d: %d is %v, the table says %v", table.arch, n, got, r)
			}
		}
	}
	for _, table := range tuned() {
		for n, r := range table.rows {
			if got := (GPU{Arch: table.arch, Bits: table.bits, SharedBytes: 227 << 10}).rows(n); !got.Equal(r) || r.Radices[len(r.Radices)-1]%2 != 0 {
				t.Errorf("sm_%d: rows of %d are %v, the table says %v", table.arch, n, got, r)
			}
		}
		for n, r := range table.trip {
			g := GPU{Arch: table.arch, Bits: table.bits, SharedBytes: 227 << 10}
			packed, err := g.InPasses(2*n, true)
			if err != nil {
				t.Fatal(err)
			}
			if trip := g.Trip(packed); trip == nil || !trip.First.Equal(r.Columns) || trip.Around.N != 2*r.Rows.N || !packed.Inner.Equal(r) {
				t.Errorf("sm_%d: the trip of %d is %+v, the table says %v", table.arch, n, trip, r)
			}
			// Less room and shorter axes have other trips, or none.
			for _, other := range []GPU{{Arch: table.arch, Bits: table.bits, SharedBytes: 32 << 10, Threads: 256}, {Arch: table.arch, Bits: table.bits, SharedBytes: 227 << 10, LongestAxis: 64}} {
				if other.fits(r) != nil {
					t.Errorf("%+v: the trip of %d is that of an H200", other, n)
				}
			}
		}
	}
	for _, table := range tuned() {
		g := GPU{Arch: table.arch, Bits: table.bits, SharedBytes: 227 << 10, Cluster: 16}
		// Without clusters and with less room there are passes.
		others := []GPU{{Arch: table.arch, Bits: table.bits, SharedBytes: 227 << 10},
			{Arch: table.arch, Bits: table.bits, SharedBytes: 12 << 10, Cluster: 16}, {Arch: table.arch, Bits: table.bits, SharedBytes: 227 << 10, Cluster: 16, LongestAxis: 512}}
		for n, want := range table.cluster {
			if r, err := g.For(n, false); err != nil || !r.Equal(want) || len(g.Launches(r)) != 1 || g.ScratchBytes(r) != 0 {
				t.Errorf("%d is %v, %v; the table says %v", n, r, err, want)
			}
			for _, other := range others {
				if r, err := other.For(n, false); err != nil || r.Kind == Cluster {
					t.Errorf("%+v: %d is %v, %v", other, n, r, err)
				}
			}
		}
		for n, want := range table.pairs {
			if r, err := g.For(2*n, true); err != nil || r.Kind != Packed || !r.Inner.Equal(want) || len(g.Launches(r)) != 1 || g.ScratchBytes(r) != 0 {
				t.Errorf("%d real is %v, %v; the table says %v", 2*n, r, err, want)
			}
		}
		for way, lines := range map[Way]map[int]*Recipe{There: table.there, Back: table.back} {
			for n, want := range lines {
				one := g
				one.Way = way
				if r, err := one.For(2*n, true); err != nil || r.Kind != Packed || !r.Inner.Equal(want) {
					t.Errorf("%d real, way %d, is %v, %v; the table says %v", 2*n, way, r, err, want)
				}
				// Transforms that are fused with others have the same bits.
				r, err := g.For(2*n, true)
				same := func(a, b *Recipe) bool { return a == b || slices.Equal(a.Radices, b.Radices) }
				if err != nil || !same(r.Inner, want) || !same(r.Inner.Columns, want.Columns) || !same(r.Inner.Rows, want.Rows) {
					t.Errorf("%d real is %v, %v, and by itself %v", 2*n, r, err, want)
				}
			}
		}
		for n, want := range table.passes {
			alone := g
			alone.Way, alone.Cluster = There, 0
			if r, err := alone.InPasses(n, false); err != nil || !r.Equal(want) {
				t.Errorf("%d is %v, %v; the table says %v", n, r, err, want)
			}
			for _, other := range others[1:] {
				if other.fits(want) != nil {
					t.Errorf("%+v: %d has passes of an H200", other, n)
				}
			}
		}
	}
	old, late := GPU{Arch: 70, Bits: 32}.tables(), GPU{Arch: 121, Bits: 32}.tables()
	if len(tuned()) == 0 || !old.line[16].Equal(late.line[16]) {
		t.Error("an architecture that was not measured has no table")
	}
	for text, want := range map[string]string{
		"line mixed 4.4":                                    "not the one recipe",
		"line mixed 4.4@4\nline mixed 8.2@2":                "not the one recipe",
		"lines mixed 4.4@4":                                 "unknown role",
		"packed rader 17 (mixed 4.4@4)":                     "not the one recipe",
		"columns mixed 64.4@4":                              "radix 64",
		"trip mixed 4.4@4":                                  "not the one recipe",
		"cluster mixed 4.4@4":                               "not the one recipe",
		"pairs cluster 2 (mixed 4.4@4x8) (mixed 4.4@4x8)":   "packed lines alone",
		"back cluster 2 (mixed 4.4@4x8) (mixed 4.4@4x8)":    "packed lines alone",
		"cluster cluster 2 (mixed 4.4@2x8) (mixed 4.4@4x4)": "packed lines alone",
	} {
		if _, err := parseTables(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestParseSharing(t *testing.T) {
	for text, want := range map[string]string{
		"mixed 8.8@":                                                "not a length",
		"mixed 8.8@8x":                                              "not a length",
		"mixed 8.8@2000":                                            "shared as 2000 threads",
		"mixed 8.8@512x4":                                           "4 lines",
		"mixed 8|8@8":                                               "shared as",
		"mixed 8.8x4":                                               "trailing",
		"packed 9 (direct 4@1)":                                     "not half",
		"packed 16 (packed 8 (direct 4))":                           "packs a line that is complex",
		"fourstep (mixed 8.8@8) (mixed 8.8)":                        "one part is for a GPU",
		"cluster (mixed 4.4@4x8) (mixed 4.4@4x8)":                   "not a length",
		"cluster 4 (mixed 4.4@4x8) (mixed 4.4@4x8)":                 "4 blocks of 8 columns and 8 rows",
		"cluster 2 (mixed 4.4@4x8) (mixed 4.4@2x8)":                 "of blocks that have others",
		"packed 512 (cluster 2 (mixed 4.4@4x8) (mixed 4.4@4x8))":    "do not take pairs of rows",
		"bluestein 128 (cluster 2 (mixed 4.4@4x8) (mixed 4.4@4x8))": "do not take pairs of rows",
		"cluster 2 (mixed 4.4) (mixed 4.4)":                         "of blocks that have others",
		"fourstep (mixed 8.8) (fourstep (direct 8) (direct 8))":     "across lines",
	} {
		if r, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q) = %v, %v; want an error with %q", text, r, err, want)
		}
	}
	r, err := Parse("packed 128 (mixed 8.8@4x2/640)")
	if err != nil || r.Inner.Sharing != (Sharing{Threads: 4, Lines: 2, Resident: 640}) {
		t.Errorf("%v, %v", r, err)
	}
	if r, err := Parse("mixed 16.16.16@256!"); err != nil || !r.Tight || r.Turns || r.String() != "mixed 16.16.16@256!" {
		t.Errorf("%v, %v", r, err)
	}
	if r, err := Parse("mixed 32.32@32x8~"); err != nil || r.Tight || !r.Turns || r.String() != "mixed 32.32@32x8~" {
		t.Errorf("numbers in turns: %+v, %v", r, err)
	}
	if r, err := Parse("mixed 16.16.8.4@256!!"); err != nil || !r.Tight || !r.Turns || r.String() != "mixed 16.16.8.4@256!!" {
		t.Errorf("%v, %v", r, err)
	}
	if r, err := Parse("mixed 32.32.16@512~*"); err != nil || !r.Turns || !r.Stays || r.String() != "mixed 32.32.16@512~*" {
		t.Errorf("blocks that stay: %+v, %v", r, err)
	}
	want := "128: real, packed as a complex line of 64\n  64: passes 8 8, 4 threads a line, 2 lines a block, 640 threads a multiprocessor\n"
	if got := r.Tree(); got != want {
		t.Errorf("Tree() = %q, want %q", got, want)
	}
}

// A line of 4096 fits into the 32 KiB that WebGPU's groups have without gaps, and one
// of 8192 if its parts take turns; so do real lines of twice the length.
func TestTight(t *testing.T) {
	g := GPU{Bits: 32, SharedBytes: 32 << 10, Threads: 256}
	for n, want := range map[int]string{1024: "", 2048: "", 4096: "!", 5000: "!!", 8192: "!!"} {
		for _, real := range []bool{false, true} {
			n := n
			if real {
				n *= 2
			}
			r, err := g.OnChip(n, real)
			if err != nil || g.Exchange(r) > g.SharedBytes {
				t.Fatalf("%d: %v, %v", n, r, err)
			}
			text := strings.TrimSuffix(r.String(), ")")
			if got := text[len(strings.TrimRight(text, "!")):]; got != want {
				t.Errorf("%d: %v, want %q at its end", n, r, want)
			}
		}
	}
	if r, err := g.OnChip(16384, false); err == nil {
		t.Errorf("%v", r)
	}
}

// Every launch fits into the threads and the shared memory that there are.
func TestLaunchesFit(t *testing.T) {
	g := GPU{Bits: 32, SharedBytes: 32 << 10, Threads: 256}
	for _, n := range []int{7, 64, 509, 1000, 1009, 4096, 10007, 16384, 20000, 44100, 48000, 1 << 16, 75648, 1 << 17, 1 << 18, 1 << 20} {
		for _, real := range []bool{false, true} {
			r, err := g.For(n, real)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range g.Launches(r) {
				if l.SharedBytes() > g.SharedBytes || l.BlockThreads() > g.threads() {
					t.Errorf("%d real %t: %v: launch %+v has %d bytes", n, real, r, l, l.SharedBytes())
				}
			}
		}
	}
}

func TestPrimitiveRoot(t *testing.T) {
	for p := 3; p < 500; p++ {
		if !prime(p) {
			continue
		}
		g := PrimitiveRoot(p)
		var seen []int
		for e, x := 0, 1; e < p-1; e, x = e+1, x*g%p {
			seen = append(seen, x)
		}
		slices.Sort(seen)
		if len(slices.Compact(seen)) != p-1 {
			t.Errorf("%d is no primitive root of %d", g, p)
		}
	}
}
