package a

import (
	"context"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func dropped(x *nd.Array, s *nd.Stream) *nd.Array {
	x.On(s) // want `\[error TW010\] the result of On is dropped: x stays on its stream`
	return x.Neg()
}

func droppedChain(x *nd.Array, s *nd.Stream) {
	x.Neg().On(s) // want `the result of On is dropped`
}

func perPart(d *nd.Device, xs []*nd.Array) ([]*nd.Array, error) {
	var out []*nd.Array
	for _, x := range xs {
		s, err := d.NewStream()
		if err != nil {
			return nil, err
		}
		defer s.Close()
		out = append(out, x.On(s).RFFT())
	}
	return out, nil
}

func carried(d *nd.Device, x *nd.Array) (*nd.Array, error) {
	for range 4 {
		s, err := d.NewStream() // want `a new stream in every turn`
		if err != nil {
			return nil, err
		}
		x = x.On(s).Neg()
	}
	return x, nil
}

func inLoop(ctx context.Context, d *nd.Device, xs []*nd.Array) ([]*nd.Array, error) {
	var out []*nd.Array
	for _, x := range xs {
		s, err := d.NewStream() // want `\[warn TW010\] a new stream in every turn of the loop`
		if err != nil {
			return nil, err
		}
		y := x.On(s).RFFT()
		if err := nd.Eval(ctx, y); err != nil {
			return nil, err
		}
		out = append(out, y)
	}
	return out, nil
}

func closedInLoop(d *nd.Device, x *nd.Array) error {
	for range 10 {
		s, err := d.NewStream() // want `a new stream in every turn`
		if err != nil {
			return err
		}
		x = x.On(s).Neg()
		s.Close()
	}
	return nil
}

func pipeline(k *nd.Array) *nd.Array {
	x := nd.Zeros(nd.Float32, 8, 4, 1024)
	return signal.Pipeline{Streams: 8}.Apply(x, k) // want `8 streams for 4 channels`
}

func literal(k *nd.Array) *nd.Array {
	x := nd.Zeros(nd.Float32, 2, 1024)
	p := &signal.Pipeline{Streams: 4} // want `4 streams for 2 channels`
	return p.Apply(x, k)
}

func idle(x *nd.Array) []*nd.Array {
	streams := make([]*nd.Stream, 8)
	parts := nd.Split(x, 4, 0)
	for i, part := range parts {
		parts[i] = part.On(streams[i]).RFFT() // want `8 streams for 4 bands: the others stay idle`
	}
	return parts
}

func kept(x *nd.Array, s *nd.Stream) *nd.Array {
	x = x.On(s)
	return x.Neg()
}

func once(d *nd.Device, n int) ([]*nd.Stream, error) {
	streams := make([]*nd.Stream, n)
	for i := range streams {
		s, err := d.NewStream()
		if err != nil {
			return nil, err
		}
		streams[i] = s
	}
	return streams, nil
}

func collected(d *nd.Device) (list []*nd.Stream, err error) {
	for range 4 {
		var s *nd.Stream
		if s, err = d.NewStream(); err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

func handedOn(d *nd.Device, work func(*nd.Stream)) {
	for range 4 {
		s, _ := d.NewStream()
		work(s)
	}
}

func enough(k *nd.Array) *nd.Array {
	x := nd.Zeros(nd.Float32, 8, 64, 1024)
	return signal.Pipeline{Streams: 8}.Apply(x, k)
}

func unknownShape(x, k *nd.Array) *nd.Array {
	return signal.Pipeline{Streams: 8}.Apply(x, k)
}

func asMany(x *nd.Array) []*nd.Array {
	streams := make([]*nd.Stream, 4)
	parts := nd.Split(x, 4, 0)
	for i, part := range parts {
		parts[i] = part.On(streams[i]).RFFT()
	}
	return parts
}

func outside(d *nd.Device, xs []*nd.Array) error {
	s, err := d.NewStream()
	if err != nil {
		return err
	}
	for i, x := range xs {
		xs[i] = x.On(s)
	}
	return nil
}
