// Package dtypehop is TW006: element types that change for nothing.
//
// Casting down and up loses bits and keeps the traffic; a float64 scalar does not
// mix with float32 arrays; complex128 made from float32 doubles the bytes and
// adds no digits.
package dtypehop
