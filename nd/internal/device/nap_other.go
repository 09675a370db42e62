//go:build !linux

package device

import "time"

// Nap is a sleep.
func Nap(d time.Duration) { time.Sleep(d) }
