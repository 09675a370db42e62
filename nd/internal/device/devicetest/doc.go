// Package devicetest is the conformance suite of devices: what every one of
// them must do the same, whatever it is made of.
//
// A device's own test calls [Run]. Each check runs a program on the device
// and through package reference, over the same bytes, and compares every
// element of the result within the operation's tolerance and every byte
// around it exactly. Element types that the device's Info does not list, and
// programs that it refuses with device.ErrUnsupported, are skipped and named;
// nothing else is.
package devicetest
