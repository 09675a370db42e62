// Package numbers is TW013: kernel sources that differ only in numbers.
//
// A kernel is compiled for its text. Numbers printed into the text make a new
// kernel for every value; as template constants or in a small buffer they do not.
package numbers
