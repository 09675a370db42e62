// Package printer prints a kernel for other devices: CUDA C++, Metal and WGSL,
// each complete with its signature. The text is what the device compiles, so
// the meaning of every operation is spelled out where languages differ:
// integer division by zero gives 0, shift counts are taken modulo the width,
// conversions saturate.
package printer
