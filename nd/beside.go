package nd

import "github.com/twiddle-go/twiddle/nd/internal/graph"

// Beside is the array on the device of another, for operations on both. What
// comes from the host (From) is copied to a device once: the device keeps some
// of it, up to 64 MiB, and the same numbers again, of the same type and shape,
// are not copied again. So windows and tables can be made where they are used.
//
// Such a result is a constant that others may share: it must not be released or
// donated, and it has no gradient by a.
func (a *Array) Beside(other *Array) *Array {
	const op = "beside"
	if bad := unusable(op, a, other); bad != nil {
		return bad
	}
	host, ok := a.node.Held().(*graph.Host)
	if !ok && a.node.Device == other.node.Device {
		return a
	}
	d, err := engine.Device(other.node.Device)
	if err != nil {
		return failed(op, err, a, other)
	}
	if !ok {
		return a.On(&Stream{d, 0})
	}
	n, err := d.Constant(a.node.Type, a.node.Shape, host)
	return built(op, n, err, a, other)
}
