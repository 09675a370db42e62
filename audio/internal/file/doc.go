// Package file is what readers of named files have in common: opening and closing
// them.
package file
