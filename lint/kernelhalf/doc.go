// Package kernelhalf is TWK05: half numbers in kernels that a float literal turns into floats.
//
// A literal without a suffix is a float, and a half beside a float becomes one.
// The operation then runs at float's rate and is rounded back.
package kernelhalf
