// Package hotsync is TW002: evaluations in a loop of which only the last is used.
//
// Each Eval, Slice, Item or Wait makes the host wait for the device. In a loop
// whose results are overwritten that is time for nothing.
package hotsync
