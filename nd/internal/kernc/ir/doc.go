// Package ir is the typed tree of a custom kernel: every name resolved, every
// conversion written out, constants folded. The checker makes it, the
// renderers print it, and package flat brings it into the form the machine
// runs.
package ir
