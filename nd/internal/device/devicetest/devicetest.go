package devicetest

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/reference"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Tester is what the suite needs to report: *testing.T has it, and Recorder.
type Tester interface {
	Helper()
	Name() string
	Cleanup(func())
	Error(args ...any)
	Errorf(format string, args ...any)
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Skip(args ...any)
}

// T is a Tester with named parts of its own kind.
type T[S any] interface {
	Tester
	Run(name string, f func(S)) bool
}

type group struct {
	name string
	run  func(*suite)
}

// groups is the suite, in the order in which to look for a fault.
var groups = []group{
	{"scalar", testScalar},
	{"cast", testCast},
	{"layout", testLayouts},
	{"map", testMaps},
	{"random", testRandom},
	{"reduce", testReduce},
	{"scan", testScan},
	{"sort", testSort},
	{"gather", testGather},
	{"scatter", testScatter},
	{"gemm", testGemm},
	{"fft", testFFT},
	{"fft with bins a quarter lower", testQuarterFFT},
	{"butterfly", testButterfly},
	{"overlap", testOverlap},
	{"line", testLines},
	{"batch", testBatches},
	{"marks", testMarks},
	{"cancel", testCancel},
	{"queue", testQueues},
	{"memory", testMemory},
	{"close", testClose},
}

// Groups names the parts of the suite.
func Groups() []string {
	return lists.Map(groups, func(g group) string { return g.name })
}

// Run checks a device; t is a *testing.T or a *Recorder. open is called once per
// group of checks, and the device it gives is closed at the end of the group.
func Run[S T[S]](t S, open func() device.Device) { RunGroups(t, open, Groups()...) }

// RunGroups is Run for some of the Groups.
func RunGroups[S T[S]](t S, open func() device.Device, names ...string) {
	RunPart(t, open, Part{}, names...)
}

// Part is one of several parts that a suite is run in, each perhaps by a process of its
// own: the checks of programs Index, Index+Of, Index+2*Of and so on. Checks of other things
// are in every part. The zero Part is all of it.
type Part struct{ Index, Of int }

// RunPart is RunGroups for a part of the checks.
func RunPart[S T[S]](t S, open func() device.Device, part Part, names ...string) {
	count := -1
	mine := func() bool {
		count++
		return part.Of < 2 || count%part.Of == part.Index
	}
	for _, group := range groups {
		if !slices.Contains(names, group.name) {
			continue
		}
		t.Run(group.name, func(t S) {
			dev := open()
			t.Cleanup(func() {
				if err := dev.Close(); err != nil {
					t.Errorf("close: %v", err)
				}
			})
			q, err := dev.NewQueue()
			if err != nil {
				t.Fatal(err)
			}
			group.run(newSuite(t, dev, q, rand.New(rand.NewPCG(1, 2)), mine))
		})
	}
}

// patience is how long anything may take before it counts as hanging. Software adapters
// compile at the first launch: lavapipe takes more than a minute for a long convolution.
const patience, patienceOfSoftware = 2 * time.Minute, 10 * time.Minute

// suite is a device under test.
type suite struct {
	Tester
	dev device.Device
	q   device.Queue
	rng *rand.Rand
	// mine says whether the next program is to be checked; it counts them.
	mine func() bool
	// sub runs f as a named part of the suite, on the same device.
	sub func(name string, f func(*suite))
}

func newSuite[S T[S]](t S, dev device.Device, q device.Queue, rng *rand.Rand, mine func() bool) *suite {
	return &suite{Tester: t, dev: dev, q: q, rng: rng, mine: mine, sub: func(name string, f func(*suite)) {
		t.Run(name, func(t S) { f(newSuite(t, dev, q, rng, mine)) })
	}}
}

// having is those of the types that the device has.
func (s *suite) having(types ...elem.Type) []elem.Type {
	have := s.dev.Info().Types
	return slices.DeleteFunc(slices.Clone(types), func(t elem.Type) bool { return !slices.Contains(have, t) })
}

// supports reports whether the device has every one of the types.
func (s *suite) supports(types ...elem.Type) bool { return len(s.having(types...)) == len(types) }

// deadline is a context that ends when patience does.
func (s *suite) deadline() context.Context {
	limit := patience
	if s.dev.Info().Software {
		limit = patienceOfSoftware
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	s.Cleanup(cancel)
	return ctx
}

// alloc gives a buffer that holds data.
func (s *suite) alloc(data []byte) device.Buffer {
	s.Helper()
	b, err := s.dev.Alloc(len(data))
	if err != nil {
		s.Fatal(err)
	}
	if b.Bytes() != len(data) {
		s.Fatalf("alloc of %d bytes gave %d", len(data), b.Bytes())
	}
	s.q.Write(b, data)
	return b
}

// read is a buffer's bytes.
func (s *suite) read(b device.Buffer) ([]byte, error) {
	out := make([]byte, b.Bytes())
	return out, s.q.Read(s.deadline(), out, b)
}

// compile skips the check if the device does not support the program.
func (s *suite) compile(p ir.Program) device.Kernel {
	s.Helper()
	k, err := s.dev.Compile(p)
	if errors.Is(err, device.ErrUnsupported) {
		s.Skip(err)
	}
	if err != nil {
		s.Fatalf("compile: %v", err)
	}
	return k
}

// execute runs a kernel once, on buffers that start as given, and returns what it
// wrote.
func (s *suite) execute(k device.Kernel, reads, writes [][]byte, args []scalar.Arg) ([][]byte, error) {
	s.Helper()
	l := device.Launch{Kernel: k, Args: args, Label: device.Label{Op: s.Name()}}
	l.Reads = lists.Map(reads, s.alloc)
	l.Writes = lists.Map(writes, s.alloc)
	s.q.Launch(l)
	out := make([][]byte, len(writes))
	var err error
	for i, b := range l.Writes {
		var e error
		if out[i], e = s.read(b); e != nil && err == nil {
			err = e
		}
	}
	for _, b := range append(l.Reads, l.Writes...) {
		s.dev.Free(b)
	}
	return out, err
}

// check runs p on the device and through the reference and compares all that
// is in the written buffers afterwards. writes is what they hold before; nil
// gives buffers of the right size and a margin, full of a pattern.
func (s *suite) check(p ir.Program, reads, writes [][]byte, args []scalar.Arg, tol tolerance) {
	s.Helper()
	if !s.mine() {
		return
	}
	if writes == nil {
		writes = blank(p)
	}
	k := s.compile(p) // first, since the reference takes longer than most devices take to refuse
	want := lists.Map(writes, func(w []byte) []byte { return bytes.Clone(w) })
	s.reference(p, reads, want, args...)
	got, err := s.execute(k, reads, writes, args)
	if err != nil {
		s.Fatalf("%s: %v", p.Name(), err)
	}
	for i, o := range ir.Writes(p) {
		s.compare(o.Type, want[i], got[i], writes[i], tol.forOutput(i))
	}
	if f, ok := p.(*ir.FFT); ok && (f.Kind == ir.FFTRealForward || f.Kind == ir.FFTRealWhole) && !f.Planes {
		s.realBins(f, got[0])
	}
}

// margin is how many elements past the end of an output must stay as they
// are.
const margin = 5

// blank gives the written buffers of p, full of a pattern that no result is
// likely to have and no bool can have.
func blank(p ir.Program) [][]byte {
	var out [][]byte
	for _, a := range p.Accesses() {
		if a.Write {
			_, hi := a.Span(a.Dims)
			out = append(out, bytes.Repeat([]byte{0xa5}, (hi+margin)*a.Type.Size()))
		}
	}
	return out
}

// compare checks a buffer of type t, element by element. What the reference
// left as it was before must be so to the bit; before may be nil.
func (s *suite) compare(t elem.Type, want, got, before []byte, tol tolerance) {
	s.Helper()
	size := t.Size()
	tol.flushes = s.flushes(t)
	wrong := 0
	for i := range len(want) / size {
		w, g := want[i*size:(i+1)*size], got[i*size:(i+1)*size]
		if bytes.Equal(w, g) {
			continue
		}
		wv, gv := reference.Load(t, want, i), reference.Load(t, got, i)
		untouched := before != nil && bytes.Equal(w, before[i*size:(i+1)*size])
		if !untouched && tol.accepts(wv, gv, i) {
			continue
		}
		if wrong++; wrong <= 3 {
			s.Errorf("element %d of %d: got %v (% x), want %v (% x), %s", i, len(want)/size, gv, g, wv, w, tol.describe(wv, gv, i))
		}
	}
	if wrong > 3 {
		s.Errorf("%d elements are wrong in all", wrong)
	}
}
