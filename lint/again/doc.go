// Package again is TW015: lazy arrays made before a loop and computed in every turn
// of it.
//
// An array that nobody evaluates keeps nothing, even if it is computed on the way to
// something else. What a loop uses and does not change is evaluated once, before it.
package again
