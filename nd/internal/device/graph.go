package device

// Grapher is implemented by devices that submit many launches by one call.
type Grapher interface {
	// NewGraph makes launches ready that are to run one after the other on one
	// queue. It fails with ErrUnsupported where that would gain nothing.
	NewGraph([]Launch) (Graph, error)
}

// Graph is a sequence of launches made ready.
type Graph interface {
	// Launch does what the queue's Launch does for each of them, in order. They are
	// the launches that the graph was made of, except that buffers, arguments and
	// contexts may be others; those that are the same as last time cost nothing. It
	// is not called from two goroutines at once.
	Launch(Queue, []Launch)
	// Free ends the graph when queues are done with it.
	Free()
}
