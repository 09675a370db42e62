//go:build linux

// Command torture does to Twiddle what users, machines and attackers do: files that
// lie, flags that make no sense, full disks, kills in the middle, sixteen goroutines
// at once, recordings larger than memory, hours of work of changing sizes. It prints
// what it did with counts, and exits with 1 if anything crashed, hung, left half a
// file or took more memory than is promised.
//
//	go run ./internal/torture                    all parts but the soak
//	go run ./internal/torture -quick             a part of each
//	go run ./internal/torture -for 1h soak       one part
//
// The verbs and flags are asked from the command itself, so that new ones are
// tried without being listed; a verb that torture does not know how to call at all
// is a failure. docs/RELIABILITY.md has the last table.
package main
