package nd

import "github.com/twiddle-go/twiddle/nd/internal/graph"

// Beside moves the array to the device of another array, for operations on both. An
// array from the host (From) is copied to a device once: the device keeps up to 64 MiB
// of such copies, and does not copy the same numbers, of the same type and shape, again.
// So code may make windows and tables where it uses them. A view of such an array that has not been
// evaluated is made on the device, as On does.
//
// Such a copy is a shared constant: it must not be released or donated, and it has no
// gradient with respect to a.
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
		if there := a.viewThere(func(from *Array) *Array { return from.Beside(other) }); there != nil {
			return there
		}
		return a.On(&Stream{d, 0})
	}
	n, err := d.Constant(a.node.Type, a.node.Shape, host)
	return built(op, n, err, a, other)
}
