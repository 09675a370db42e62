// Package figure is how the pictures that Twiddle draws look: axes, text,
// colours, and files of them.
package figure
