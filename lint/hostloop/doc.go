// Package hostloop is TW009: element loops on the host where one operation exists.
//
// A Go loop over the elements of a Slice result runs on one core, unfused, between
// two copies. The same arithmetic as an operation is one of many in a pass over
// memory.
package hostloop
