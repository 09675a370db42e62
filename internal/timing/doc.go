// Package timing compares implementations of the same work in one run.
//
// Machines are noisy: clocks drift, other processes run, caches warm up. So
// contenders take turns, round after round, and each keeps its best round.
// What is reported is a time per repetition and, since absolute times mean
// little on another machine, the ratio of a peer's time to ours: above 1 we
// are faster.
//
// Timings never decide a test. They are for `twiddle bench` and bench/.
package timing
