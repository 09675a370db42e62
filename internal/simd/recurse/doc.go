// Package recurse has the sections of recursive filters, for eight lines at a
// time: a sample waits for the one before it, and other lines fill the time.
package recurse

//go:generate go -C ../_gen run ./recurse
