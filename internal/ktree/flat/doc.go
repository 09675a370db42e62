// Package flat brings a typed tree into the form a machine runs: functions
// expanded in place, vectors split into scalars, pointers resolved to an
// object and an offset, effects taken out of expressions. It then decides how
// far each value is the same across threads, which is what makes a barrier
// legal and a loop cheap.
package flat
