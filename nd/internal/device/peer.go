package device

// Peer is implemented by queues that copy from other devices of their kind without
// the host.
type Peer interface {
	// CopyFrom queues a copy of the first bytes of src, a buffer of another device that
	// is ready and stays as it is until the copy is over. It reports false, and does
	// nothing, if the devices do not reach each other.
	CopyFrom(dst, src Buffer, bytes int) bool
}
