package nd

import (
	"errors"
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/grad"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/sched"
)

// ErrStreamClosed is wrapped by the errors of work on a closed Stream.
var ErrStreamClosed = sched.ErrStreamClosed

// Stream is a queue of work on a device: operations on one stream run one after the other,
// and those on different streams may overlap. If an operation needs a result of another
// stream, the engine inserts the wait. There is no default stream per goroutine: an
// operation runs on the stream of its first operand.
type Stream struct {
	dev   *sched.Device
	index int
}

// NewStream gives a new stream of the device.
func (d *Device) NewStream() (*Stream, error) {
	i, err := d.d.NewStream()
	if err != nil {
		return nil, fmt.Errorf("nd: new stream: %w", err)
	}
	return &Stream{d.d, i}, nil
}

// Stream is the stream that arrays of the device are on when they are made.
func (d *Device) Stream() *Stream { return &Stream{d.d, 0} }

// maxBands is more streams than any device runs at once.
const maxBands = 1 << 10

// Band returns the nth of the device's shared streams, for code that splits work into
// bands and has no streams of its own. The streams are made on first use and are closed
// with the device.
func (d *Device) Band(n int) (*Stream, error) {
	if n < 0 || n >= maxBands {
		return nil, fmt.Errorf("nd: band: %d, want 0 to %d", n, maxBands-1)
	}
	i, err := d.d.Band(n)
	if err != nil {
		return nil, fmt.Errorf("nd: band: %w", err)
	}
	return &Stream{d.d, i}, nil
}

// Device is the device the stream belongs to.
func (s *Stream) Device() *Device { return deviceOf(s.dev) }

// Close lets the stream's work finish. Arrays already computed on it stay
// usable; evaluating others fails with ErrStreamClosed. The stream a device
// has from the start closes with the device.
func (s *Stream) Close() error {
	if s.index == 0 {
		return errors.New("nd: close stream: it belongs to its device")
	}
	if err := s.dev.CloseStream(s.index); err != nil {
		return fmt.Errorf("nd: close stream: %w", err)
	}
	return nil
}

// On moves the array to a stream: later operations on the result run there. On the same
// device nothing is copied; to another device the elements are copied when they are
// needed. Of a view that has not been evaluated and has no fewer elements than its operand, the
// operand is copied.
func (a *Array) On(s *Stream) *Array {
	const op = "on"
	if bad := unusable(op, a); bad != nil {
		return bad
	}
	if s == nil {
		return failed(op, errors.New("stream is nil"), a)
	}
	if s.dev.IsClosed() {
		return failed(op, fmt.Errorf("%s: %w", s.dev.Info().Name, ErrClosed), a)
	}
	n := a.node
	place := graph.Place{Device: s.dev.Index(), Stream: s.index}
	if n.Place() == place {
		return a
	}
	if n.Op.IsSource() && n.Op != graph.Data && n.Held() == nil {
		// What is made from nothing can be made anywhere.
		return &Array{node: grad.At(place, n)}
	}
	if isPermutation(n) {
		moved, err := graph.Rehome(place, n)
		if err != nil {
			return failed(op, err, a)
		}
		return &Array{node: moved[0]}
	}
	if n.Device != place.Device {
		if there := a.viewThere(func(from *Array) *Array { return from.On(s) }); there != nil {
			return there
		}
		moved, err := graph.NewTransfer(place, n)
		return built(op, moved, err, a)
	}
	// A reshape to its own shape is the view that changes nothing.
	return &Array{node: graph.New(graph.Def{Op: graph.Reshape, In: []*graph.Node{n}, Type: n.Type, Shape: n.Shape,
		Device: place.Device, Stream: place.Stream})}
}

// viewThere is a view of no fewer bytes than its operand on the device that move brings the operand to; nil for
// any other array. What is copied is the operand, and nothing is computed here.
func (a *Array) viewThere(move func(from *Array) *Array) *Array {
	n := a.node
	in := n.In()
	if !n.Op.IsView() || n.Held() != nil || len(in) != 1 || in[0].Len()*in[0].Type.Size() > n.Len()*n.Type.Size() {
		return nil
	}
	from := move(&Array{node: in[0]})
	if from.Err() != nil {
		return from
	}
	place := from.node.Place()
	there := graph.New(graph.Def{Op: n.Op, Attr: n.Attr, In: []*graph.Node{from.node}, Type: n.Type, Shape: n.Shape, Args: n.Args,
		Device: place.Device, Stream: place.Stream})
	return &Array{node: grad.InPlaceOf(n, there)}
}
