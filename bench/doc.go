// Package bench times Twiddle beside other Go libraries. It is a module of its
// own, so that using Twiddle brings none of them along. C libraries are
// compared by `twiddle bench fft`, which needs no module for them.
package bench
