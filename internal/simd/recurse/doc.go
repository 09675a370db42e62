// Package recurse has the sections of recursive filters. A sample waits for the one before
// it; other lines fill the time, eight of them in a vector, or other sections of the same
// line.
package recurse

//go:generate go -C ../_gen run ./recurse
