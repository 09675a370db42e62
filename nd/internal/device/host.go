package device

// HostBuffer is a Buffer whose bytes the host can reach. Between devices they
// are copied from and to where they are.
type HostBuffer interface {
	Buffer
	// HostBytes is the memory itself. The caller knows that no queue uses it.
	HostBytes() []byte
}
