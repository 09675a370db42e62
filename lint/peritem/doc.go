// Package peritem is TW016: elements of an array that are read one by one.
//
// Each Item plans, runs, waits and copies. Slice does it once for all elements.
package peritem
