// Package null is a device that computes nothing. It keeps the order, the
// fences and the failure marks of a real device and writes down everything it
// was asked to do, so that plans and scheduling are tested without arithmetic.
// It can be told to fail launches, to be slow, and to run out of memory.
package null
