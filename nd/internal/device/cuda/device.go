package cuda

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/twiddle-go/twiddle/internal/cuda/driver"
	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/device/marks"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/line"
)

// Device is one GPU. Every driver call is made by whoever needs it, on the
// caller's own thread, with the context made current there: handing work to
// another thread would cost more than the call. mu orders all submissions, so
// that no two queues are ever locked at once.
type Device struct {
	name     string
	gpu      gpu
	compiler compiler
	generate func(ir.Program, emit.Card) (*emit.Module, error)
	cache    *cache
	card     emit.Card
	tile     atomic.Int64 // of products, that was chosen
	info     device.Info
	pooled   bool // memory comes from the driver's stream-ordered pool
	rings    bool // streams write to memory how far they are

	lost marks.Lost // why nothing works any more

	mu      sync.Mutex
	closed  bool
	held    int // bytes of buffers, tables and scratch
	memory  driver.Stream
	buffers map[*buffer]struct{}
	queues  map[*queue]struct{}
	modules map[key]driver.Module
	tables  map[string]driver.Pointer
	graphs  map[*graph]struct{}
	staging staging
	pins    pins
	peers   peers
	cells   cells
	timed   []driver.Event // unused ones

	prepared prepared
}

// Count says how many GPUs there are; if none, why.
func Count() (int, error) {
	d, err := driver.Open()
	if err != nil {
		return 0, err
	}
	if d.Count() == 0 {
		return 0, driver.NoDevice
	}
	return d.Count(), nil
}

// oldest is the least compute capability that kernels are written for.
const oldest = 70

// Open starts a GPU by index.
func Open(index int) (*Device, error) {
	return openIn((*driver.Driver).Retain, index, fmt.Sprintf("cuda:%d", index))
}

// OpenContext starts a GPU by index in a context of its own: a device whose memory and
// streams are not those that Open has.
func OpenContext(index int) (*Device, error) {
	return openIn((*driver.Driver).Create, index, fmt.Sprintf("cuda:%d, a context of its own", index))
}

func openIn(context func(*driver.Driver, int) (*driver.Context, driver.Result), index int, name string) (d *Device, err error) {
	drv, err := driver.Open()
	if err != nil {
		return nil, err
	}
	if index < 0 || index >= drv.Count() {
		return nil, fmt.Errorf("there are %d GPUs", drv.Count())
	}
	ctx, r := context(drv, index)
	if r.Poisons() {
		return nil, fmt.Errorf("a kernel of this process has brought the GPU down, and the driver gives it to new processes only: %w", r)
	}
	if r != driver.Success {
		return nil, r
	}
	defer func() {
		if err != nil {
			_ = ctx.Release()
		}
	}()
	arch := ctx.Attribute(driver.CapabilityMajor)*10 + ctx.Attribute(driver.CapabilityMinor)
	if arch < oldest {
		return nil, fmt.Errorf("%s has compute capability %d.%d: at least %d.%d is needed", ctx.Name(), arch/10, arch%10, oldest/10, oldest%10)
	}
	nvrtc, err := driver.OpenCompiler(arch, drv.Version())
	if err != nil {
		return nil, err
	}
	about := fmt.Sprintf("CUDA %s, NVRTC %s", driver.VersionText(drv.Version()), driver.VersionText(nvrtc.Version()))
	return open(name, about, ctx, nvrtc, generate, openCache(cacheFolder()))
}

// open starts a device on any driver.
func open(name, about string, g gpu, c compiler, gen func(ir.Program, emit.Card) (*emit.Module, error), kernels *cache) (*Device, error) {
	d := &Device{
		name: name, gpu: g, compiler: c, generate: gen, cache: kernels,
		buffers: map[*buffer]struct{}{}, queues: map[*queue]struct{}{},
		modules: map[key]driver.Module{}, tables: map[string]driver.Pointer{},
		graphs: map[*graph]struct{}{}, peers: peers{},
	}
	d.describe(about)
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.leave()
	d.pooled = g.Attribute(driver.MemoryPools) != 0
	d.rings = g.CanWriteValue()
	var r driver.Result
	if d.memory, r = g.NewStream(); r != driver.Success {
		return nil, fmt.Errorf("%s: open: %w", name, r)
	}
	return d, nil
}

// enter locks the device and makes its context current.
func (d *Device) enter() error {
	d.mu.Lock()
	if r := d.gpu.Enter(); r != driver.Success {
		d.gpu.Leave()
		d.mu.Unlock()
		return fmt.Errorf("%s: %w", d.name, r)
	}
	return nil
}

// enterUsable is enter for what a device that is closed or lost does no more.
func (d *Device) enterUsable() error {
	err := d.enter()
	if err == nil {
		if err = d.usable(); err != nil {
			d.leave()
		}
	}
	return err
}

func (d *Device) leave() {
	d.gpu.Leave()
	d.mu.Unlock()
}

// usable is nil, or why the device does no more work. mu is held.
func (d *Device) usable() error {
	if d.closed {
		return device.ErrClosed
	}
	return d.lost.Err()
}

// Info describes the GPU.
func (d *Device) Info() device.Info { return d.info }

// Notes are what a user should know of but need not act on.
func (d *Device) Notes() []string { return d.cache.notes() }

// describe asks the GPU what it is.
func (d *Device) describe(about string) {
	g := d.gpu
	arch := g.Attribute(driver.CapabilityMajor)*10 + g.Attribute(driver.CapabilityMinor)
	d.card = emit.Card{Arch: arch, Processors: g.Attribute(driver.Processors),
		SharedBytes: g.Attribute(driver.BlockSharedBytes), L2Bytes: g.Attribute(driver.L2Bytes)}
	if g.Attribute(driver.ClusterLaunch) != 0 {
		d.card.Cluster = recipe.ClusterBlocks(arch)
	}
	d.card.Maps = g.HasMaps()
	d.info = InfoOf(arch, d.card.Processors, d.card.SharedBytes)
	d.info.Name, d.info.Model, d.info.MemoryBytes = d.name, g.Name(), g.TotalMemory()
	d.info.Description = fmt.Sprintf("%s, compute capability %d.%d, %d processors, %s", g.Name(), arch/10, arch%10, d.card.Processors, about)
	d.info.Figures = figures(arch, d.card.Processors, g.Attribute(driver.ClockKHz), g.Attribute(driver.MemoryClockKHz), g.Attribute(driver.MemoryBusBits))
	d.info.Figures.ChipBytes = d.info.LineBytes
}

// InfoOf is what plans may know of a GPU, which need not be there.
func InfoOf(arch, processors, sharedBytes int) device.Info {
	card := emit.Card{Arch: arch, Processors: processors, SharedBytes: sharedBytes, Cluster: recipe.ClusterBlocks(arch)}
	info := device.Info{
		Name:         "cuda:0",
		Family:       fmt.Sprintf("sm_%d", arch),
		Workers:      processors,
		Types:        elem.All[:],
		Arch:         arch,
		SharedBytes:  sharedBytes,
		LineBytes:    lineBytes(sharedBytes),
		RoundTrips:   func(p *ir.Line) bool { return line.RoundTrips(p, card.Target()) },
		Rows:         func(p *ir.Line) bool { return line.Rows(p, card.Target()) },
		QuarterBins:  func(n, lines int, fast bool) bool { return line.QuarterBins(n, lines, fast, card.Target()) },
		QuarterRows:  func(n int) int { return line.QuarterRows(n, card.Target()) },
		PairSegments: func(n, segments, lines int) bool { return line.PairSegments(n, segments, lines, card.Target()) },
		Margins:      true,
		SharesPads:   true,
		Overlaps:     true,
		LinesPerHalo: 12,
		RepeatBytes:  64 << 20,
		Batches:      true,
		Figures:      figures(arch, processors, 1980000, 3201000, 6144), // an H200's
	}
	info.Figures.ChipBytes = info.LineBytes
	return info
}

// lineBytes is how long a line may be: in flight it is spread over registers,
// and exchanges pass half of it at a time through shared memory, beside a slot
// or two that stages keep there.
func lineBytes(shared int) int {
	switch {
	case shared >= 200<<10: // 228 KiB: 9.0, 10.0
		return 160 << 10 // a spectrum of 16384 samples and its product with another
	case shared >= 96<<10: // 100 to 164 KiB: 7.0 (opt-in 96), 8.x
		return 64 << 10
	}
	return 32 << 10
}

// figures guesses speeds from clocks, as shares of what an H200 reaches of its
// own: 4240 of 4915 bytes/ns copying, and so on; twiddle tune measures them.
func figures(arch, processors, clockKHz, memoryKHz, busBits int) device.Figures {
	perClock := 128.0 // float32 lanes of a processor
	if arch <= 80 {
		perClock = 64
	}
	peak := 2 * perClock * float64(processors) * float64(clockKHz) / 1e6 // fma counts twice
	copying := 0.86 * 2 * float64(memoryKHz) * float64(busBits) / 8 / 1e6
	if copying == 0 {
		copying = 400
	}
	return device.Figures{
		Processors:     processors,
		CopyBytesPerNs: copying,
		OpsPerNs:       peak / 4,
		FFTOpsPerNs:    peak / 4,
		GemmOpsPerNs:   peak / 2,
		SortsPerNs:     peak / 650,
		LineSortsPerNs: peak / 84, // in registers and shared memory
		ShortLineGain:  2.5,
		LaunchNs:       5000,
		SyncNs:         8000,
		// Ordinary slices, beside an H200; pinned memory has 53 each way.
		Link: device.Link{FixedNs: 9000, CoreBytesPerNs: 9, StartNs: 300e3, ThereBytesPerNs: 37, BackBytesPerNs: 25},
	}
}

// Choose takes a choice from the device's tuning; those it does not know are for others.
// Programs that are compiled already keep theirs.
func (d *Device) Choose(key string, value int) {
	if key == "gemm_tile" {
		d.tile.Store(int64(value))
	}
}

// chosen is the card with what was chosen for it.
func (d *Device) chosen() emit.Card {
	c := d.card
	c.Tile = int(d.tile.Load())
	return c
}

// NewQueue gives an empty queue.
func (d *Device) NewQueue() (device.Queue, error) {
	if err := d.enterUsable(); err != nil {
		return nil, err
	}
	defer d.leave()
	s, r := d.gpu.NewStream()
	if r != driver.Success {
		return nil, d.failed("new queue", r)
	}
	q := &queue{dev: d, stream: s}
	d.queues[q] = struct{}{}
	return q, nil
}

// failed is the error of a call that no launch is to blame for. mu is held.
func (d *Device) failed(what string, r driver.Result) error {
	if r.Poisons() {
		d.lose(r)
		return d.lost.Err()
	}
	return fmt.Errorf("%s: %s: %w", d.name, what, r)
}

// Close lets queued work finish and gives everything back. Closing twice does
// nothing.
func (d *Device) Close() error {
	d.mu.Lock()
	if d.closed {
		d.mu.Unlock()
		return nil
	}
	d.closed = true
	queues := slices.Collect(maps.Keys(d.queues))
	d.mu.Unlock()
	for _, q := range queues {
		_ = q.Close() // what it may return is known already: the device is lost
	}
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	for g := range d.graphs {
		g.broken = true
		g.destroy()
	}
	clear(d.graphs)
	for b := range d.buffers {
		_ = d.giveBack(b.at, d.memory)
		b.mark.Fail(device.ErrClosed)
	}
	for _, p := range d.tables {
		_ = d.giveBack(p, d.memory)
	}
	for _, m := range d.modules {
		_ = d.gpu.UnloadModule(m)
	}
	clear(d.buffers)
	clear(d.tables)
	clear(d.modules)
	d.held = 0
	d.staging.free(d.gpu)
	d.unpinAll()
	d.cells.free(d.gpu)
	for _, e := range d.timed {
		_ = d.gpu.DestroyEvent(e)
	}
	d.timed = nil
	_ = d.gpu.SyncStream(d.memory)
	_ = d.gpu.DestroyStream(d.memory)
	if r := d.gpu.Release(); r != driver.Success && d.lost.Load() == nil {
		return fmt.Errorf("%s: close: %w", d.name, r)
	}
	return nil
}
