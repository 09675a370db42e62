package cuda

import (
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/cuda/driver"
)

// simGraphs are the graphs of a simulated driver, guarded by its mu.
type simGraphs struct {
	none     bool // the driver is too old for them
	nodes    map[uintptr][]simNode
	launches atomic.Int64
	updates  atomic.Int64 // calls of SetParams
}

type simNode struct {
	function driver.Function
	run      func()
}

func (s *sim) HasMaps() bool { return false }

func (s *sim) Map(driver.Pointer, driver.Runs) (driver.Map, driver.Result) {
	return driver.Map{}, driver.NotFound
}

func (s *sim) HasGraphs() bool { return !s.graphs.none }

func (s *sim) NewGraph(nodes []driver.Node) (driver.Graph, driver.Result) {
	g := driver.Graph{Exec: s.handle()}
	var list []simNode
	for _, n := range nodes {
		list = append(list, simNode{n.Function, s.bound(n.Function, n.Params)})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.graphs.nodes == nil {
		s.graphs.nodes = map[uintptr][]simNode{}
	}
	s.graphs.nodes[g.Exec] = list
	return g, s.result()
}

func (s *sim) SetParams(g *driver.Graph, node int, params *unsafe.Pointer) driver.Result {
	s.graphs.updates.Add(1)
	s.mu.Lock()
	n := &s.graphs.nodes[g.Exec][node]
	s.mu.Unlock()
	n.run = s.bound(n.function, params) // the device's mu is held
	return s.result()
}

// LaunchGraph runs the kernels with the parameters they have now.
func (s *sim) LaunchGraph(g *driver.Graph, st driver.Stream) driver.Result {
	s.graphs.launches.Add(1)
	s.mu.Lock()
	nodes := slices.Clone(s.graphs.nodes[g.Exec])
	s.mu.Unlock()
	for _, n := range nodes {
		if r := s.put(st, s.slowly(n.run)); r != driver.Success {
			return r
		}
	}
	return s.result()
}

func (s *sim) DestroyGraph(g *driver.Graph) driver.Result {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.graphs.nodes[g.Exec] == nil {
		panic("a graph was destroyed twice")
	}
	delete(s.graphs.nodes, g.Exec)
	return s.result()
}

// simPins is host memory that was registered, guarded by the driver's mu.
type simPins struct {
	list   [][]byte
	refuse driver.Result
	direct atomic.Int64 // bytes copied from and to it
}

func (s *sim) HostRegister(m []byte) driver.Result {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pins.refuse != driver.Success {
		return s.pins.refuse
	}
	s.pins.list = append(s.pins.list, m)
	return s.result()
}

func (s *sim) HostUnregister(m []byte) driver.Result {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := len(s.pins.list)
	s.pins.list = slices.DeleteFunc(s.pins.list, func(p []byte) bool { return &p[0] == &m[0] })
	if len(s.pins.list) == before {
		panic("memory was unregistered that is not registered")
	}
	return s.result()
}

// pinned checks that the GPU can reach host memory: it was allocated by the
// driver, or registered.
func (s *sim) pinned(m []byte) {
	at, end := uint64(driver.HostPointer(m)), uint64(driver.HostPointer(m))+uint64(len(m))
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.pins.list {
		if from := uint64(driver.HostPointer(p)); at >= from && end <= from+uint64(len(p)) {
			s.pins.direct.Add(int64(len(m)))
			return
		}
	}
	for _, x := range s.memory {
		if at >= x.at && end <= x.at+uint64(len(x.mem)) {
			return
		}
	}
	panic("a copy from or to memory that is not pinned")
}
