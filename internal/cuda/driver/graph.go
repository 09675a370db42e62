package driver

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/clib"
)

// graphFunctions are the addresses of what launches a sequence of kernels by one
// call. Drivers before CUDA 11.4 do not have them all.
type graphFunctions struct {
	create, addKernel, instantiate, setParams, launch, destroyExec, destroy uintptr
}

// find looks the functions up; any that is missing leaves instantiate at 0.
func (f *graphFunctions) find(library clib.Library) {
	first := func(names ...string) uintptr {
		for _, name := range names {
			if a := library.Symbol(name); a != 0 {
				return a
			}
		}
		return 0
	}
	// The second versions have two more fields at the end of nodeParams.
	f.create = first("cuGraphCreate")
	f.addKernel = first("cuGraphAddKernelNode_v2", "cuGraphAddKernelNode")
	f.setParams = first("cuGraphExecKernelNodeSetParams_v2", "cuGraphExecKernelNodeSetParams")
	f.launch = first("cuGraphLaunch")
	f.destroyExec = first("cuGraphExecDestroy")
	f.destroy = first("cuGraphDestroy")
	if f.create != 0 && f.addKernel != 0 && f.setParams != 0 && f.launch != 0 && f.destroyExec != 0 && f.destroy != 0 {
		f.instantiate = first("cuGraphInstantiateWithFlags")
	}
}

// Node is a kernel of a graph. Params points to the addresses of its parameters,
// which the driver copies. They are on the heap.
type Node struct {
	Function    Function
	Grid, Block [3]uint32
	Shared      int
	Params      *unsafe.Pointer
}

// Graph is a sequence of kernels, each of which runs when the one before it is
// done, ready to be launched.
type Graph struct {
	Exec   uintptr // the driver's handle of what is launched
	graph  uintptr
	nodes  []uintptr
	params []nodeParams
}

// nodeParams is CUDA_KERNEL_NODE_PARAMS_v2.
type nodeParams struct {
	function      uintptr
	grid, block   [3]uint32
	shared        uint32
	params, extra uintptr
	kernel        uintptr
	context       uintptr
}

// HasGraphs reports whether the driver has everything that graphs need.
func (c *Context) HasGraphs() bool { return c.d.graphs.instantiate != 0 }

// NewGraph makes a graph of kernels.
func (c *Context) NewGraph(nodes []Node) (g Graph, r Result) {
	f := &c.d.graphs
	if r = call(f.create, uintptr(unsafe.Pointer(&g.graph)), 0); r != Success {
		return Graph{}, r
	}
	g.nodes = make([]uintptr, len(nodes))
	g.params = make([]nodeParams, len(nodes))
	for i := range nodes {
		n := &nodes[i]
		g.params[i] = nodeParams{function: uintptr(n.Function), grid: n.Grid, block: n.Block, shared: uint32(n.Shared),
			params: uintptr(unsafe.Pointer(n.Params))}
		var before, count uintptr
		if i > 0 {
			before, count = uintptr(unsafe.Pointer(&g.nodes[i-1])), 1
		}
		if r = call(f.addKernel, uintptr(unsafe.Pointer(&g.nodes[i])), g.graph, before, count, uintptr(unsafe.Pointer(&g.params[i]))); r != Success {
			break
		}
	}
	if r == Success {
		r = call(f.instantiate, uintptr(unsafe.Pointer(&g.Exec)), g.graph, 0)
	}
	if r != Success {
		call(f.destroy, g.graph)
		return Graph{}, r
	}
	return g, Success
}

// SetParams gives a kernel other parameters, for later launches of the graph.
func (c *Context) SetParams(g *Graph, node int, params *unsafe.Pointer) Result {
	p := &g.params[node] // on the heap
	p.params = uintptr(unsafe.Pointer(params))
	return hot(c.d.graphs.setParams, g.Exec, g.nodes[node], uintptr(unsafe.Pointer(p)))
}

// LaunchGraph queues all kernels of a graph. The context need not be current: kernels and
// streams have theirs.
func (c *Context) LaunchGraph(g *Graph, s Stream) Result {
	return hot(c.d.graphs.launch, g.Exec, uintptr(s))
}

// DestroyGraph gives a graph back. None of its launches is under way.
func (c *Context) DestroyGraph(g *Graph) Result {
	r := call(c.d.graphs.destroyExec, g.Exec)
	if again := call(c.d.graphs.destroy, g.graph); r == Success {
		r = again
	}
	*g = Graph{}
	return r
}
