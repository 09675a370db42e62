// Package live filters samples on slices, block after block, as sound cards and
// measuring cards deliver them: no arrays, no goroutines, and no allocations after a
// filter is made.
//
//	eq, err := live.NewFilter(sections) // a signal.SOS, or any biquads
//	err = eq.Process(block, block)      // in place
//
//	room, err := live.NewConv(impulse, 128)
//	err = room.Process(out, in)         // 128 samples in, 128 out
//
// A value is for one channel and one goroutine.
package live
