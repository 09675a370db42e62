// Package kernc compiles custom kernels: bodies in a Metal-style C dialect,
// written once and run on every device.
//
// syntax reads the text and check makes the kernel's tree of it (package ktree),
// which the CPU's machine runs and the printers print for other devices. This
// package joins them and keeps what it compiled, by content.
package kernc
