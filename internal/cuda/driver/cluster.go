package driver

import "unsafe"

// launchConfig is CUlaunchConfig, and launchAttribute is CUlaunchAttribute.
type (
	launchConfig struct {
		grid, block [3]uint32
		shared      uint32
		stream      Stream
		attributes  *launchAttribute
		count       uint32
	}
	launchAttribute struct {
		id    int32
		_     int32
		value [16]uint32
	}
)

// clusterDimension is the driver's number of a launch's attribute.
const clusterDimension = 4

// largeClusters is the driver's number of what AllowClusters sets.
const largeClusters = 14

// AllowClusters lets a function have clusters of more blocks than every GPU has room for.
func (c *Context) AllowClusters(f Function) Result {
	return call(c.d.funcSetAttribute, uintptr(f), largeClusters, 1)
}

// Clusters is how many clusters of blocks the GPU can run at once, 0 if it cannot run
// one, or if the driver is too old to say.
func (c *Context) Clusters(f Function, blocks int, block [3]uint32, shared int) (int, Result) {
	if c.d.clusters == 0 {
		return 0, Success
	}
	size := &launchAttribute{id: clusterDimension, value: [16]uint32{uint32(blocks), 1, 1}}
	config := &launchConfig{grid: [3]uint32{uint32(blocks), 1, 1}, block: block, shared: uint32(shared), attributes: size, count: 1}
	var n int32
	r := call(c.d.clusters, uintptr(unsafe.Pointer(&n)), uintptr(f), uintptr(unsafe.Pointer(config)))
	return int(n), r
}
