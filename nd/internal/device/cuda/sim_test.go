package cuda

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/cuda/driver"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/reference"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// sim is a driver and a GPU made of goroutines: streams run by themselves,
// events are moments in them, memory has bounds, and an access outside them
// brings the context down as on a real one. Kernels are programs that the
// reference runs, so that the device's own part can be tested, and raced,
// where there is no GPU.
type sim struct {
	inside atomic.Int64 // calls of Enter without Leave
	dead   atomic.Int32 // the sticky result

	mu       sync.Mutex
	memory   []span
	next     uint64
	used     int
	handles  uintptr
	streams  map[driver.Stream]*simStream
	events   map[driver.Event]*moment
	images   map[driver.Module]string
	entries  map[driver.Function]string
	programs map[string]ir.Program // by text
	slow     func()                // runs before every kernel
	graphs   simGraphs
	pins     simPins
	peers    simPeers
	launches atomic.Int64
	queries  atomic.Int64 // of events
	compiles atomic.Int64
	clusters int // that may run at once
}

// span is allocated memory.
type span struct {
	at  uint64
	mem []byte
}

type moment struct {
	happened chan struct{}
	at       time.Time
}

type simStream struct {
	work chan func()
	left atomic.Int64
}

const simMemory = 256 << 20

func newSim() *sim {
	return &sim{next: 1 << 40, streams: map[driver.Stream]*simStream{}, events: map[driver.Event]*moment{},
		images: map[driver.Module]string{}, entries: map[driver.Function]string{}, programs: map[string]ir.Program{}}
}

// openSim is a device on a new simulation.
func openSim(t testing.TB) (*Device, *sim) {
	t.Helper()
	s := newSim()
	d, err := open("cuda:0", "simulated", s, s, s.generate, openCache(""))
	if err != nil {
		t.Fatal(err)
	}
	return d, s
}

// openSimWith is a device on a new simulation that shows every program first.
func openSimWith(t testing.TB, look func(ir.Program) error) *Device {
	t.Helper()
	s := newSim()
	d, err := open("cuda:0", "simulated", s, s, func(p ir.Program, card emit.Card) (*emit.Module, error) {
		if err := look(p); err != nil {
			return nil, err
		}
		return s.generate(p, card)
	}, openCache(""))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// generate makes a kernel that takes every operand, every argument and a fault
// cell, and whose text names the program.
func (s *sim) generate(p ir.Program, _ emit.Card) (*emit.Module, error) {
	text := fmt.Sprintf("%T %x", p, ir.AppendKey(nil, p))
	s.mu.Lock()
	s.programs[text] = p
	s.mu.Unlock()
	step := emit.Step{Entry: "run", Grid: [3]int{1, 1, 1}, Block: [3]int{1, 1, 1}}
	for i := range ir.Reads(p) {
		step.Params = append(step.Params, emit.Read(i))
	}
	for i := range ir.Writes(p) {
		step.Params = append(step.Params, emit.Write(i))
	}
	for i := range simArgs(p) {
		step.Params = append(step.Params, kgen.Param{Kind: kgen.Argument, Index: i})
	}
	m := &emit.Module{Text: text, Steps: []emit.Step{step}}
	switch p.(type) {
	case *ir.Gather, *ir.Scatter:
		m.Steps[0].Params = append(m.Steps[0].Params, emit.Fault())
		m.Fault = func(cell [4]uint64) error {
			return &ir.IndexError{Op: p.Name(), Index: int64(cell[1]), Len: int(cell[2])}
		}
	}
	return m, nil
}

// simArgs is how many launch arguments a program uses.
func simArgs(p ir.Program) int {
	n := 0
	if l, ok := p.(*ir.Line); ok {
		for _, slot := range l.Slots {
			if slot.Margin != nil {
				n = max(n, slot.Margin.Fill+1)
			}
		}
	}
	for _, i := range instrs(p) {
		switch {
		case i.Kind == ir.Const:
			n = max(n, i.Slot+1)
		case i.Kind == ir.Apply && i.Op == scalar.RandInt:
			n = max(n, i.Slot+2)
		case i.Kind == ir.Apply && i.Op.IsRandom():
			n = max(n, i.Slot+1)
		}
	}
	return n
}

// lookup finds memory by address; its result goes to the end of the span.
func (s *sim) lookup(at uint64) ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.memory {
		if at >= m.at && at < m.at+uint64(len(m.mem)) {
			return m.mem[at-m.at:], true
		}
	}
	return nil, false
}

func (s *sim) result() driver.Result {
	if s.inside.Load() <= 0 {
		panic("driver called without a current context")
	}
	return driver.Result(s.dead.Load())
}

func (s *sim) fault() { s.dead.CompareAndSwap(0, int32(driver.IllegalAddress)) }

func (s *sim) handle() uintptr {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handles++
	return s.handles
}

func (s *sim) Enter() driver.Result {
	runtime.LockOSThread()
	s.inside.Add(1)
	return driver.Success
}

func (s *sim) Leave() {
	s.inside.Add(-1)
	runtime.UnlockOSThread()
}

func (s *sim) Release() driver.Result { return driver.Success }
func (s *sim) Name() string           { return "simulated GPU" }
func (s *sim) TotalMemory() int       { return simMemory }

func (s *sim) Attribute(a driver.Attribute) int {
	return map[driver.Attribute]int{driver.CapabilityMajor: 9, driver.Processors: 132, driver.BlockSharedBytes: 227 << 10,
		driver.L2Bytes: 60 << 20, driver.MemoryPools: 1, driver.ClusterLaunch: 1, driver.ClockKHz: 1980000, driver.MemoryClockKHz: 3201000, driver.MemoryBusBits: 6144}[a]
}

func (s *sim) MemoryInfo() (free, total int, r driver.Result) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return simMemory - s.used, simMemory, s.result()
}

func (s *sim) AllocAsync(n int, st driver.Stream) (driver.Pointer, driver.Result) {
	if r := s.result(); r != driver.Success {
		return 0, r
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if n > simMemory-s.used {
		return 0, driver.OutOfMemory
	}
	s.used += n
	p := s.next
	s.next += uint64(n+511) &^ 255 // at least a gap of 256 bytes
	s.memory = append(s.memory, span{p, make([]byte, n)})
	return driver.Pointer(p), driver.Success
}

func (s *sim) FreeAsync(p driver.Pointer, st driver.Stream) driver.Result {
	return s.put(st, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		i := slices.IndexFunc(s.memory, func(m span) bool { return m.at == uint64(p) })
		if i < 0 {
			s.fault()
			return
		}
		s.used -= len(s.memory[i].mem)
		s.memory = slices.Delete(s.memory, i, i+1)
	})
}

func (s *sim) Alloc(int) (driver.Pointer, driver.Result) { panic("the pool is supported") }
func (s *sim) Free(driver.Pointer) driver.Result         { panic("the pool is supported") }

func (s *sim) HostAlloc(n int) ([]byte, driver.Result) {
	m := make([]byte, n)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.memory = append(s.memory, span{uint64(driver.HostPointer(m)), m})
	return m, s.result()
}

func (s *sim) HostFree(m []byte) driver.Result {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.memory = slices.DeleteFunc(s.memory, func(x span) bool { return x.at == uint64(driver.HostPointer(m)) })
	return s.result()
}

// put adds work to a stream; on a dead context work is not done, but the
// stream goes on.
func (s *sim) put(st driver.Stream, f func()) driver.Result {
	r := s.result()
	if r != driver.Success {
		return r
	}
	s.mu.Lock()
	stream := s.streams[st]
	s.mu.Unlock()
	stream.left.Add(1)
	stream.work <- func() {
		if s.dead.Load() == 0 {
			f()
		}
	}
	return r
}

func (s *sim) CopyToDevice(dst driver.Pointer, src []byte, st driver.Stream) driver.Result {
	s.pinned(src)
	return s.put(st, func() {
		if m, ok := s.lookup(uint64(dst)); ok && len(m) >= len(src) {
			copy(m, src)
		} else {
			s.fault()
		}
	})
}

func (s *sim) CopyToHost(dst []byte, src driver.Pointer, st driver.Stream) driver.Result {
	s.pinned(dst)
	return s.put(st, func() {
		if m, ok := s.lookup(uint64(src)); ok && len(m) >= len(dst) {
			copy(dst, m)
		} else {
			s.fault()
		}
	})
}

func (s *sim) CanWriteValue() bool { return true }

func (s *sim) WriteValue(st driver.Stream, at driver.Pointer, v uint64) driver.Result {
	return s.put(st, func() {
		if m, ok := s.lookup(uint64(at)); ok && len(m) >= 8 {
			atomic.StoreUint64(&wordsOf(m[:cellBytes])[0], v)
		} else {
			s.fault()
		}
	})
}

func (s *sim) NewStream() (driver.Stream, driver.Result) {
	h := driver.Stream(s.handle())
	st := &simStream{work: make(chan func(), 4096)}
	s.mu.Lock()
	s.streams[h] = st
	s.mu.Unlock()
	go func() {
		for f := range st.work {
			runtime.Gosched()
			f()
			st.left.Add(-1)
		}
	}()
	return h, s.result()
}

func (s *sim) DestroyStream(h driver.Stream) driver.Result {
	s.mu.Lock()
	st := s.streams[h]
	delete(s.streams, h)
	s.mu.Unlock()
	close(st.work)
	return s.result()
}

func (s *sim) SyncStream(h driver.Stream) driver.Result {
	done := make(chan struct{})
	if r := s.put(h, func() { close(done) }); r != driver.Success {
		return r
	}
	for {
		select {
		case <-done:
			return s.result()
		default:
			if r := s.result(); r != driver.Success {
				return r
			}
			runtime.Gosched()
		}
	}
}

func (s *sim) QueryStream(h driver.Stream) driver.Result {
	s.mu.Lock()
	st := s.streams[h]
	s.mu.Unlock()
	if r := s.result(); r != driver.Success || st.left.Load() == 0 {
		return r
	}
	return driver.NotReady
}

func (s *sim) NewEvent(bool) (driver.Event, driver.Result) {
	return driver.Event(s.handle()), s.result()
}
func (s *sim) DestroyEvent(driver.Event) driver.Result { return s.result() }

func (s *sim) moment(e driver.Event) *moment {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.events[e]
}

func (s *sim) Record(e driver.Event, st driver.Stream) driver.Result {
	m := &moment{happened: make(chan struct{})}
	s.mu.Lock()
	s.events[e] = m
	s.mu.Unlock()
	return s.put(st, func() {
		m.at = time.Now()
		close(m.happened)
	})
}

func (s *sim) Elapsed(from, to driver.Event) (float32, driver.Result) {
	return float32(s.moment(to).at.Sub(s.moment(from).at).Seconds() * 1000), s.result()
}

func (s *sim) Query(e driver.Event) driver.Result {
	s.queries.Add(1)
	select {
	case <-s.moment(e).happened:
		return s.result()
	default:
	}
	if r := s.result(); r != driver.Success {
		return r
	}
	return driver.NotReady
}

func (s *sim) WaitEvent(st driver.Stream, e driver.Event) driver.Result {
	m := s.moment(e)
	return s.put(st, func() {
		for s.dead.Load() == 0 {
			select {
			case <-m.happened:
				return
			default:
				runtime.Gosched()
			}
		}
	})
}

func (s *sim) Version() int { return 13020 }

// Compile refuses texts that generate did not make.
func (s *sim) Compile(name, text string, options ...string) ([]byte, string, error) {
	s.compiles.Add(1)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.programs[text] == nil {
		return nil, "", &driver.CompileError{Name: name, Log: "not a program"}
	}
	return []byte(text), "", nil
}

func (s *sim) LoadModule(image []byte) (driver.Module, driver.Result) {
	h := driver.Module(s.handle())
	s.mu.Lock()
	defer s.mu.Unlock()
	s.images[h] = string(image)
	return h, s.result()
}

func (s *sim) UnloadModule(driver.Module) driver.Result { return s.result() }

func (s *sim) Function(m driver.Module, name string) (driver.Function, driver.Result) {
	if name != "run" {
		return 0, driver.NotFound
	}
	h := driver.Function(s.handle())
	s.mu.Lock()
	defer s.mu.Unlock()
	s.entries[h] = s.images[m]
	return h, s.result()
}

func (s *sim) AllowShared(driver.Function, int) driver.Result { return s.result() }

func (s *sim) AllowClusters(driver.Function) driver.Result { return s.result() }

func (s *sim) Clusters(driver.Function, int, [3]uint32, int) (int, driver.Result) {
	return s.clusters, s.result()
}

// Launch reads the parameters now and runs the program when the stream gets
// there.
func (s *sim) Launch(f driver.Function, grid, block [3]uint32, shared int, st driver.Stream, params *unsafe.Pointer) driver.Result {
	return s.put(st, s.slowly(s.bound(f, params)))
}

// slowly is a kernel that begins when the test lets it.
func (s *sim) slowly(run func()) func() {
	s.launches.Add(1)
	s.mu.Lock()
	slow := s.slow
	s.mu.Unlock()
	if slow == nil {
		return run
	}
	return func() {
		slow()
		run()
	}
}

// bound is the run of a program with the parameters as they are now.
func (s *sim) bound(f driver.Function, params *unsafe.Pointer) func() {
	s.mu.Lock()
	p := s.programs[s.entries[f]]
	s.mu.Unlock()
	reads, writes, args := len(ir.Reads(p)), len(ir.Writes(p)), simArgs(p)
	count := reads + writes + args
	_, gathers := p.(*ir.Gather)
	_, scatters := p.(*ir.Scatter)
	if gathers || scatters {
		count++
	}
	all := unsafe.Slice(params, count)
	address := make([]uint64, reads+writes+1)
	for i := range reads + writes {
		address[i] = *(*uint64)(all[i])
	}
	values := make([]scalar.Arg, args)
	for i := range values {
		values[i] = *(*scalar.Arg)(all[reads+writes+i])
	}
	if gathers || scatters {
		address[reads+writes] = *(*uint64)(all[reads+writes+args])
	}
	return func() {
		operands := make([][]byte, reads+writes)
		for i := range operands {
			m, ok := s.lookup(address[i])
			if !ok {
				s.fault()
				return
			}
			operands[i] = m
			if i < reads {
				operands[i] = bytes.Clone(m)
			}
		}
		err := reference.Run(p, operands[:reads], operands[reads:], values)
		var index *ir.IndexError
		if errors.As(err, &index) {
			cell, ok := s.lookup(address[reads+writes])
			if !ok {
				s.fault()
				return
			}
			for i, w := range []uint64{1, uint64(index.Index), uint64(index.Len)} {
				binary.LittleEndian.PutUint64(cell[8*i:], w)
			}
		} else if err != nil {
			panic(err)
		}
	}
}

// instrs lists the code of maps and reductions.
func instrs(p ir.Program) []ir.Instr {
	switch p := p.(type) {
	case *ir.Map:
		return p.Instrs
	case *ir.Reduce:
		return append(slices.Clone(p.Instrs), p.Post.Instrs...)
	case *ir.Batch:
		var all []ir.Instr
		for _, q := range p.Programs {
			all = append(all, instrs(q)...)
		}
		return all
	case *ir.Line:
		var all []ir.Instr
		for _, stage := range p.Stages {
			all = append(all, instrs(stage.Program)...)
			all = append(all, instrs(stage.First)...)
		}
		return all
	}
	return nil
}

// Choose takes the tile of products, which kernels are then made with, and no other choice.
func TestChoose(t *testing.T) {
	d, _ := openSim(t)
	d.Choose("gemm_tile", 128)
	d.Choose("qr_block", 64)
	if got := d.chosen().Target().Tile; got != 128 {
		t.Errorf("tiles of %d, want 128", got)
	}
}
