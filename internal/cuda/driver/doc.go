// Package driver opens libcuda and NVRTC at run time and calls them without
// cgo. It is a thin layer: a method per driver call, results as values, and no
// policy. Methods of a Context are called between Enter and Leave, because the
// driver knows the current context by operating system thread.
package driver
