// Package kernelscope is TWK03: barriers in kernels that order more memory than threads share.
//
// A barrier waits for memory of the kind it names. Device memory is far away:
// ordering it costs many times what threadgroup memory does, and is needed only
// where a thread reads back what another wrote there.
package kernelscope
