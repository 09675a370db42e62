// Package bodies finds the kernels of a package, as literals of nd.Kernel and
// as embedded .metal files, and lets the kernel rules report in them.
package bodies
