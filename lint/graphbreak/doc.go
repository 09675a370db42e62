// Package graphbreak is TW001: graph breaks: arrays that go to the host and come back.
//
// The engine fuses what it can see. An array that is read with Slice or Item and
// fed back with From, Scalar or a scalar operation cuts the graph in two: the
// first half runs and is waited for, its result crosses to the host and back,
// and nothing fuses across the cut.
package graphbreak
