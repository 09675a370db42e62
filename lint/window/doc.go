// Package window is TW012: symmetric windows where periodic ones belong.
//
// A symmetric window repeats its first sample as its last. For spectra the window
// is one period of a periodic function, so the symmetric one leaks and its
// overlapped sum is not constant.
package window
