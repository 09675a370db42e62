// Package source is places in a kernel's text, and errors that point there.
package source
