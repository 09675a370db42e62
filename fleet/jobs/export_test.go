package jobs

// OnEngine makes correlate compute on the CPU as it does on other devices,
// until the function it gives is called.
func OnEngine() (undo func()) {
	engineOnly = true
	return func() { engineOnly = false }
}

// WithSpectra lets so many bytes of spectra wait, until the function it gives
// is called.
func WithSpectra(bytes int) (undo func()) {
	old := spectraBytes
	spectraBytes = bytes
	return func() { spectraBytes = old }
}
