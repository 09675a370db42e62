// Package median has the median of a window that slides over samples.
package median

//go:generate go -C ../_gen run ./median
