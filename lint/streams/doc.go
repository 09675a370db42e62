// Package streams is TW010: streams that do nothing or that are too many.
//
// On gives a new array and changes nothing in place; a stream made in each turn of
// a loop orders nothing; a stream without a band to work on is idle.
package streams
