package device

import (
	"context"
	"sync"
	"time"
)

// Timer is implemented by queues of devices that have a clock of their own.
type Timer interface {
	// Stamp notes the time when all work so far is done.
	Stamp() Stamp
}

// Stamp is a moment in a queue's work.
type Stamp interface {
	// Since is the time from an earlier stamp of the same queue, once both
	// have happened.
	Since(ctx context.Context, earlier Stamp) (time.Duration, error)
}

// StampOf notes a time on any queue: by the device's clock, or else by the
// host's at the moment the event is seen to happen.
func StampOf(q Queue) Stamp {
	if t, ok := q.(Timer); ok {
		return t.Stamp()
	}
	s := &hostStamp{event: q.Record()}
	s.seen = sync.OnceValue(time.Now)
	s.event.Then(func() { s.seen() })
	q.Flush()
	return s
}

type hostStamp struct {
	event Event
	seen  func() time.Time
}

func (s *hostStamp) Since(ctx context.Context, earlier Stamp) (time.Duration, error) {
	e := earlier.(*hostStamp)
	for _, stamp := range []*hostStamp{e, s} {
		if err := stamp.event.Wait(ctx); err != nil {
			return 0, err
		}
	}
	return s.seen().Sub(e.seen()), nil
}
