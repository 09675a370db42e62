// Package kernc compiles custom kernels: bodies in a Metal-style C dialect,
// written once and run on every device.
//
// A kernel goes through four packages, each a pass over plain data. syntax
// reads the text, check gives it meaning, flat expands it, and machine runs
// it on the CPU; render prints it for other devices. This package joins them
// and keeps what it compiled, by content.
package kernc
