// Package sched evaluates graphs: it finds or makes the plan for a graph,
// gives its buffers memory, launches its steps on the queues of their streams
// with fences where streams meet, and puts the results on the graph's nodes.
//
// Submitting happens under one lock and never waits for elements to be
// computed; running is up to the queues. A node holds its value from the
// moment its steps are launched, so concurrent evaluations compute it once. A
// value that fails is taken off its node again, so that a later evaluation
// tries anew.
package sched
