// Package signal is signal processing on package nd's arrays.
//
// Everything here is plain array code: functions build graphs and nothing
// runs until they are evaluated, so they fuse with what comes before and
// after, batch over leading axes, and run on every device.
//
//	y := signal.Conv{Mode: signal.Causal, Bias: b}.Apply(x, k)
//	out, err := nd.Slice[float32](ctx, y)
package signal
