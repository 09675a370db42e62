package webgpu

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/marks"
	"github.com/twiddle-go/twiddle/nd/internal/device/webgpu/driver"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/line"
)

// Device is one adapter. mu guards everything, the library's calls included.
type Device struct {
	name   string
	info   device.Info
	target kgen.Target
	limits driver.Limits
	// What shaders may use: floats of 16 bits in memory, and subgroups of that many
	// neighbours, 0 if there are none.
	halves   bool
	subgroup int
	// contracts says that the compiler joins products and sums.
	contracts bool

	lost     marks.Lost    // why nothing works any more
	finished atomic.Uint64 // batches that are known to be done

	mu        sync.Mutex
	gpu       *driver.Device
	closed    bool
	held      int // bytes of buffers, tables and scratch
	buffers   map[*buffer]struct{}
	pipelines map[string]driver.Pipeline
	tables    map[string]*table
	scratch   []scratch  // shared by all launches, which run one after another
	joints    [2]scratch // likewise: what joined buffers are copied to, read and written

	// The batch that is being made has number submitted+1.
	commands  *driver.Commands // nil if there is nothing in it
	launches  int              // of it
	labels    []device.Label   // of it
	words     words
	cells     []*cell   // of it
	spare     []*cell   // unused ones
	submitted uint64    // batches
	flights   []*flight // in order, not known to be done
	ended     time.Time // when a batch was last seen to be done
	staging   staging

	waiters  device.Waiters
	watching bool
}

// Open starts the adapter of that number.
func Open(index int) (*Device, error) {
	list, err := adapters()
	if err != nil {
		return nil, err
	}
	if index < 0 || index >= len(list) {
		return nil, fmt.Errorf("there are %d adapters", len(list))
	}
	return open(fmt.Sprintf("webgpu:%d", index), list[index])
}

func open(name string, a *driver.Adapter) (*Device, error) {
	if err := usable(a); err != nil {
		return nil, err
	}
	return start(name, a)
}

// start opens an adapter, whatever it is.
func start(name string, a *driver.Adapter) (*Device, error) {
	gpu, err := a.Open()
	if err != nil {
		return nil, err
	}
	d := &Device{
		name: name, gpu: gpu, limits: a.Limits,
		buffers: map[*buffer]struct{}{}, pipelines: map[string]driver.Pipeline{}, tables: map[string]*table{},
	}
	d.describe(a)
	d.words.align = int(max(a.Limits.StorageAlignment, 4))
	d.halves = a.Has(driver.ShaderF16) && d.probeHalves()
	if a.Has(driver.Subgroups) && a.FixedSubgroups() {
		d.subgroup = d.probeSubgroups()
	}
	d.contracts = d.probeContraction()
	return d, nil
}

// types are those that shaders compute with. float64 is left out: no adapter that
// people have computes with it, and to narrow it would change results.
var types = []elem.Type{elem.Bool, elem.Uint8, elem.Int8, elem.Int16, elem.Int32, elem.Int64, elem.Uint32, elem.Float16, elem.BFloat16, elem.Float32, elem.Complex64}

func (d *Device) describe(a *driver.Adapter) {
	d.info = InfoOf(a)
	d.info.Name = d.name
	d.target = TargetOf(a)
}

// TargetOf is what kernels are generated for.
func TargetOf(a *driver.Adapter) kgen.Target {
	shared := int(a.Limits.GroupStorage)
	return kgen.Target{Processors: guessProcessors(a), SharedBytes: shared, PoolBytes: shared}
}

// InfoOf is what plans may know of an adapter, which need not be there.
func InfoOf(a *driver.Adapter) device.Info {
	target := TargetOf(a)
	return device.Info{
		Name:         "webgpu:0",
		Description:  describe(a),
		Model:        a.Name,
		Workers:      target.Processors,
		Types:        types,
		Batches:      true,
		Flushes:      true, // WGSL lets an adapter do so anywhere
		Software:     a.Kind == driver.Software,
		SharedBytes:  target.SharedBytes,
		LineBytes:    min(target.SharedBytes, 32<<10),
		RoundTrips:   func(p *ir.Line) bool { return line.RoundTrips(p, target) },
		Rows:         func(p *ir.Line) bool { return line.Rows(p, target) },
		Margins:      true,
		SharesPads:   true,
		Overlaps:     true,
		LinesPerHalo: 12,
		RepeatBytes:  64 << 20,
		Figures:      figures(a),
	}
}

// Info describes the adapter.
func (d *Device) Info() device.Info { return d.info }

// usableNow is nil, or why the device does no more work. mu is held.
func (d *Device) usableNow() error {
	if d.closed {
		return device.ErrClosed
	}
	return d.lost.Err()
}

// LostError is the error of everything on a device that was lost: the driver was
// reset, the GPU was taken away, or the library found fault with what it was given.
// Opening the device again gives a new one.
type LostError struct {
	Device string
	Reason string
	Others []string // launches that were under way too
}

func (e *LostError) Error() string {
	return fmt.Sprintf("%s is lost: %s; open it again for a new one", e.Device, e.Reason)
}

// lose gives the device up, and names the first launch that is not known to be done.
// mu is held.
func (d *Device) lose(reason string) {
	if d.lost.Load() != nil {
		return
	}
	var labels []device.Label
	for _, f := range d.flights {
		labels = append(labels, f.labels...)
	}
	labels = append(labels, d.labels...)
	e := &LostError{Device: d.name, Reason: reason}
	label := device.Label{Op: d.name}
	if len(labels) > 0 {
		label = labels[0]
		for _, other := range labels[1:min(len(labels), 9)] {
			e.Others = append(e.Others, other.Op)
		}
	}
	d.lost.Store(&device.LaunchError{Label: label, Err: e})
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
	d.submit()
	last := d.submitted
	d.mu.Unlock()
	d.wait(last)
	d.mu.Lock()
	for b := range d.buffers {
		d.gpu.FreeBuffer(b.at)
		b.at = 0
		b.mark.Fail(device.ErrClosed)
	}
	clear(d.buffers)
	for _, t := range d.tables {
		d.gpu.FreeBuffer(t.at)
	}
	clear(d.tables)
	for _, p := range d.pipelines {
		d.gpu.FreePipeline(p)
	}
	clear(d.pipelines)
	for _, s := range append(d.scratch, d.joints[:]...) {
		if s.at != 0 {
			d.gpu.FreeBuffer(s.at)
		}
	}
	d.scratch, d.joints = nil, [2]scratch{}
	d.held = 0
	d.gpu.Destroy()
	d.gpu.Release()
	d.mu.Unlock()
	return nil
}

// figures are guesses until twiddle tune measures: of an integrated GPU, a card, and
// a processor that plays one.
func figures(a *driver.Adapter) device.Figures {
	f := device.Figures{CopyBytesPerNs: 80, OpsPerNs: 600, FFTOpsPerNs: 600, GemmOpsPerNs: 1200, LaunchNs: 10000, SyncNs: 50000}
	switch a.Kind {
	case driver.Discrete:
		f.CopyBytesPerNs, f.OpsPerNs, f.FFTOpsPerNs, f.GemmOpsPerNs = 350, 3000, 3000, 6000
	case driver.Software:
		f = device.Figures{CopyBytesPerNs: 2, OpsPerNs: 1, FFTOpsPerNs: 1, GemmOpsPerNs: 2, LaunchNs: 60000, SyncNs: 100000}
	}
	return f
}
