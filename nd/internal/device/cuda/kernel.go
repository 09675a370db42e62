package cuda

import (
	"errors"
	"fmt"

	"github.com/twiddle-go/twiddle/internal/cuda/driver"
	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// kernel is a program made ready.
type kernel struct {
	dev     *Device
	program ir.Program
	custom  bool  // the user's own, which may do anything
	need    []int // bytes of each buffer, reads first
	args    int   // arguments a launch must have
	params  int   // most of any step
	words   int   // that they take, the same
	maps    []kgen.Map
	steps   []step
	tables  []driver.Pointer
	fault   func([4]uint64) error

	scratch      []int // offsets
	scratchBytes int
}

// step is a kernel launch with everything but its buffers.
type step struct {
	function    driver.Function
	grid, block [3]uint32
	shared      int
	params      []kgen.Param
	words       int // that they take
}

// paramWords is the words of 64 bits that a parameter takes.
func paramWords(p kgen.Param) int {
	if p.Kind == kgen.MapOf {
		return len(driver.Map{})
	}
	return 2
}

func (k *kernel) Program() ir.Program { return k.program }

// Compile generates the program's text and makes it ready.
func (d *Device) Compile(p ir.Program) (device.Kernel, error) {
	d.mu.Lock()
	err := d.usable()
	d.mu.Unlock()
	if err != nil {
		return nil, err
	}
	if err := p.Verify(); err != nil {
		return nil, err
	}
	k := &kernel{dev: d, program: p}
	_, k.custom = p.(*ir.Custom)
	if k.need, err = ir.Bytes(p); err != nil {
		return nil, fmt.Errorf("%s: %w", d.name, err)
	}
	card := d.chosen()
	err = k.make(card)
	if errors.Is(err, errNoMap) {
		card.Maps = false
		err = k.make(card)
	}
	if errors.Is(err, errNoCluster) {
		card.Cluster = 0
		err = k.make(card)
	}
	if err != nil {
		return nil, err
	}
	return k, nil
}

// make generates the program's text for a card and loads it.
func (k *kernel) make(card emit.Card) error {
	d := k.dev
	m, err := d.text(k.program, card)
	if err != nil {
		return err
	}
	if err = d.check(m, k.program); err == nil {
		err = k.load(m)
	}
	if err != nil {
		return fmt.Errorf("%s: %s: %w", d.name, k.program.Name(), err)
	}
	return nil
}

// errNoCluster says that the GPU, or the part of it that the process has, cannot run
// the blocks of a cluster together.
var errNoCluster = errors.New("no room for a cluster of blocks")

// errNoMap says that the driver does not take runs as they lie.
var errNoMap = errors.New("no map of such runs")

// scratchAlign keeps every part of scratch memory on lines of its own.
const scratchAlign = 256

// load compiles the text and binds what does not change between launches.
func (k *kernel) load(m *emit.Module) error {
	d := k.dev
	k.fault, k.scratch, k.scratchBytes, k.tables, k.steps, k.maps = m.Fault, nil, 0, nil, nil, m.Maps
	for _, n := range m.Scratch {
		k.scratch = append(k.scratch, k.scratchBytes)
		k.scratchBytes += (n + scratchAlign - 1) &^ (scratchAlign - 1)
	}
	if err := d.takes(m.Maps); err != nil {
		return err
	}
	for _, t := range m.Tables {
		p, err := d.table(t)
		if err != nil {
			return err
		}
		k.tables = append(k.tables, p)
	}
	var module driver.Module
	for i := range m.Steps {
		s := &m.Steps[i]
		if s.Grid[0] == 0 || s.Grid[1] == 0 || s.Grid[2] == 0 {
			continue
		}
		if module == 0 {
			var err error
			if module, err = d.module(k.program.Name(), m.Text); err != nil {
				return err
			}
		}
		f, err := d.function(module, s)
		if err != nil {
			return err
		}
		k.steps = append(k.steps, step{function: f, grid: sizes(s.Grid), block: sizes(s.Block), shared: s.Shared, params: s.Params, words: lists.Sum(s.Params, paramWords)})
		k.params, k.words = max(k.params, len(s.Params)), max(k.words, k.steps[len(k.steps)-1].words)
		for _, p := range s.Params {
			if p.Kind == kgen.Argument {
				k.args = max(k.args, p.Index+1)
			}
		}
	}
	return nil
}

func sizes(d [3]int) [3]uint32 { return [3]uint32{uint32(d[0]), uint32(d[1]), uint32(d[2])} }

// Limits of a launch, the same on every GPU since compute capability 3.0.
const (
	mostBlocks      = 1<<31 - 1 // along the first dimension
	mostOtherBlocks = 1<<16 - 1
	mostThreads     = 1024
	mostDepth       = 64 // threads along the last dimension
)

// check finds what the driver would refuse or misunderstand.
func (d *Device) check(m *emit.Module, p ir.Program) error {
	count := map[kgen.ParamKind]int{kgen.ReadPointer: len(ir.Reads(p)), kgen.WritePointer: len(ir.Writes(p)),
		kgen.ScratchPointer: len(m.Scratch), kgen.TablePointer: len(m.Tables), kgen.MapOf: len(m.Maps)}
	for _, s := range m.Steps {
		g, b := s.Grid, s.Block
		switch {
		case g[0] < 0 || g[1] < 0 || g[2] < 0 || g[0] > mostBlocks || g[1] > mostOtherBlocks || g[2] > mostOtherBlocks:
			return fmt.Errorf("%s: a grid of %v blocks: %w", s.Entry, g, device.ErrUnsupported)
		case b[0] < 1 || b[1] < 1 || b[2] < 1 || b[2] > mostDepth || b[0]*b[1]*b[2] > mostThreads:
			return fmt.Errorf("%s: a block of %v threads: %w", s.Entry, b, device.ErrUnsupported)
		case s.Shared > d.card.SharedBytes:
			return fmt.Errorf("%s: %d bytes of shared memory: %w", s.Entry, s.Shared, device.ErrUnsupported)
		}
		for _, a := range s.Params {
			if most, counted := count[a.Kind]; counted && (a.Index < 0 || a.Index >= most) {
				return fmt.Errorf("%s: parameter %+v names what is not there", s.Entry, a)
			}
			if a.Kind == kgen.FaultCell && m.Fault == nil {
				return fmt.Errorf("%s: a fault cell that nobody reads", s.Entry)
			}
		}
	}
	return nil
}

// module gives the loaded code of a text, compiled at most once.
func (d *Device) module(name, text string) (driver.Module, error) {
	key := keyOf(text, d.card.Arch, d.compiler.Version())
	d.mu.Lock()
	m, ok := d.modules[key]
	d.mu.Unlock()
	if ok {
		return m, nil
	}
	code, cached := d.cache.get(key)
	if !cached {
		var err error
		if code, _, err = d.compiler.Compile(name, text, driver.Options(d.card.Arch)...); err != nil {
			return 0, err
		}
		d.cache.put(key, code)
	}
	if err := d.enterUsable(); err != nil {
		return 0, err
	}
	defer d.leave()
	if m, ok := d.modules[key]; ok {
		return m, nil // another goroutine was faster
	}
	m, r := d.gpu.LoadModule(code)
	if r != driver.Success {
		return 0, d.failed(fmt.Sprintf("load code of NVRTC %s", driver.VersionText(d.compiler.Version())), r)
	}
	d.modules[key] = m
	return m, nil
}

// defaultShared is what every kernel may use without asking.
const defaultShared = 48 << 10

func (d *Device) function(m driver.Module, s *emit.Step) (driver.Function, error) {
	if err := d.enter(); err != nil {
		return 0, err
	}
	defer d.leave()
	f, r := d.gpu.Function(m, s.Entry)
	if r == driver.NotFound {
		return 0, fmt.Errorf("the text has no extern \"C\" __global__ function %s", s.Entry)
	}
	if r == driver.Success && s.Shared > defaultShared {
		r = d.gpu.AllowShared(f, d.card.SharedBytes)
		// Static shared memory counts too; then ask for no more than needed.
		if errors.Is(r.Err(), driver.InvalidValue) {
			r = d.gpu.AllowShared(f, s.Shared)
		}
	}
	if r == driver.Success && s.Cluster > recipe.PortableCluster {
		r = d.gpu.AllowClusters(f)
	}
	if r == driver.Success && s.Cluster > 1 {
		var n int
		if n, r = d.gpu.Clusters(f, s.Cluster, sizes(s.Block), s.Shared); r == driver.Success && n == 0 {
			return 0, errNoCluster
		}
	}
	if r != driver.Success {
		return 0, d.failed(s.Entry, r)
	}
	return f, nil
}

// takes asks the driver whether it makes such maps, of whatever address.
func (d *Device) takes(maps []kgen.Map) error {
	if len(maps) == 0 {
		return nil
	}
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	for _, m := range maps {
		if _, r := d.mapOf(m, scratchAlign); r != driver.Success {
			return errNoMap
		}
	}
	return nil
}

// mapOf is the map of runs in a buffer at an address.
func (d *Device) mapOf(m kgen.Map, at driver.Pointer) (driver.Map, driver.Result) {
	return d.gpu.Map(at, driver.Runs{Elements: m.Elements, Count: m.Count, Runs: m.Runs, Apart: m.Apart})
}

// table gives the address of constant data, uploaded at its first use.
func (d *Device) table(t kgen.Table) (driver.Pointer, error) {
	d.mu.Lock()
	p, ok := d.tables[t.Key]
	d.mu.Unlock()
	if ok {
		return p, nil
	}
	data := t.Data()
	if err := d.enter(); err != nil {
		return 0, err
	}
	defer d.leave()
	if p, ok := d.tables[t.Key]; ok {
		return p, nil
	}
	p, err := d.take(len(data), d.memory)
	if err != nil {
		return 0, err
	}
	host, r := []byte(nil), driver.Success
	if len(data) > 0 {
		if host, r = d.gpu.HostAlloc(len(data)); r == driver.Success {
			copy(host, data)
			r = d.gpu.CopyToDevice(p, host, d.memory)
		}
	}
	if r == driver.Success {
		r = d.gpu.SyncStream(d.memory)
	}
	if host != nil {
		_ = d.gpu.HostFree(host)
	}
	if r != driver.Success {
		_ = d.giveBack(p, d.memory)
		return 0, d.failed("table", r)
	}
	d.held += len(data)
	d.tables[t.Key] = p
	return p, nil
}
