package signal

// SetWorthAStream changes how large bands are at least, and gives the old size.
func SetWorthAStream(samples int) int {
	old := worthAStream
	worthAStream = samples
	return old
}
