package device

// Pinner is implemented by devices that copy from and to host memory by themselves
// once it is pinned. Their queues' Write and Read do so without being told, and
// return when the copy is over.
type Pinner interface {
	// Pin makes memory known to the device. It starts and ends with pages that are
	// nobody else's, and stays where it is until Unpin or Close.
	Pin(mem []byte) error
	// Unpin takes exactly what Pin was given; what is not pinned is left alone.
	Unpin(mem []byte)
}
