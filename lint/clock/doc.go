// Package clock is TW011: clocks around lazy code.
//
// Operations build graph and return at once. A clock or a benchmark around them
// with no evaluation inside measures how fast Go allocates.
package clock
