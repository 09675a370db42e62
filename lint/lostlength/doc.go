// Package lostlength is TW008: inverse real transforms that forget the length.
//
// n/2+1 bins come from n samples or from n+1: IRFFT without N takes the even one,
// so a signal of odd length comes back one sample short.
package lostlength
