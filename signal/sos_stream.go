package signal

import "github.com/twiddle-go/twiddle/signal/live"

// Stream filters slices of samples, block after block, without garbage: for sound
// cards, where Filter is for arrays. It is for one channel.
func (s SOS) Stream() (*live.Filter, error) { return live.NewFilter(s) }
