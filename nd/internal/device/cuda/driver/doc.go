// Package driver opens libcuda and NVRTC at run time and calls them without
// cgo.
package driver
