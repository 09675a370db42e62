package cuda

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/cuda/driver"
)

// gpu is what the device uses of a *driver.Context. Everything but Enter
// and LaunchGraph is called between Enter and Leave.
type gpu interface {
	Enter() driver.Result
	Leave()
	Release() driver.Result

	Name() string
	TotalMemory() int
	Attribute(driver.Attribute) int
	MemoryInfo() (free, total int, r driver.Result)

	Alloc(bytes int) (driver.Pointer, driver.Result)
	Free(driver.Pointer) driver.Result
	AllocAsync(bytes int, s driver.Stream) (driver.Pointer, driver.Result)
	FreeAsync(driver.Pointer, driver.Stream) driver.Result
	HostAlloc(bytes int) ([]byte, driver.Result)
	HostFree([]byte) driver.Result
	HostRegister([]byte) driver.Result
	HostUnregister([]byte) driver.Result
	CopyToDevice(dst driver.Pointer, src []byte, s driver.Stream) driver.Result
	CopyToHost(dst []byte, src driver.Pointer, s driver.Stream) driver.Result
	Peer() driver.Peer
	Reach(driver.Peer) bool
	CopyFrom(dst driver.Pointer, p driver.Peer, src driver.Pointer, bytes int, s driver.Stream) driver.Result

	NewStream() (driver.Stream, driver.Result)
	DestroyStream(driver.Stream) driver.Result
	SyncStream(driver.Stream) driver.Result
	QueryStream(driver.Stream) driver.Result
	WaitEvent(driver.Stream, driver.Event) driver.Result
	CanWriteValue() bool
	WriteValue(s driver.Stream, at driver.Pointer, v uint64) driver.Result
	NewEvent(timed bool) (driver.Event, driver.Result)
	DestroyEvent(driver.Event) driver.Result
	Record(driver.Event, driver.Stream) driver.Result
	Query(driver.Event) driver.Result
	Elapsed(from, to driver.Event) (ms float32, r driver.Result)

	LoadModule(image []byte) (driver.Module, driver.Result)
	UnloadModule(driver.Module) driver.Result
	Function(m driver.Module, name string) (driver.Function, driver.Result)
	AllowShared(f driver.Function, bytes int) driver.Result
	AllowClusters(f driver.Function) driver.Result
	Clusters(f driver.Function, blocks int, block [3]uint32, shared int) (int, driver.Result)
	Launch(f driver.Function, grid, block [3]uint32, shared int, s driver.Stream, params *unsafe.Pointer) driver.Result

	HasMaps() bool
	Map(at driver.Pointer, r driver.Runs) (driver.Map, driver.Result)

	HasGraphs() bool
	NewGraph(nodes []driver.Node) (driver.Graph, driver.Result)
	SetParams(g *driver.Graph, node int, params *unsafe.Pointer) driver.Result
	LaunchGraph(g *driver.Graph, s driver.Stream) driver.Result
	DestroyGraph(g *driver.Graph) driver.Result
}

// compiler is what the device uses of a *driver.Compiler.
type compiler interface {
	Version() int
	Compile(name, text string, options ...string) (code []byte, log string, err error)
}
