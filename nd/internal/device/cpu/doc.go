// Package cpu is the device that computes on the processor the program runs
// on.
//
// A queue is a ring of commands and no goroutine: whoever waits for an event
// of an idle queue runs its commands itself, so small synchronous work pays
// for no hand-off. Flush starts a goroutine for work nobody waits for. A step
// big enough is split into parts over a team of workers shared by all queues.
//
// Map and Reduce programs are compiled to a short list of steps, each a
// vector kernel over a block of points that fits the first-level cache; runs
// of arithmetic become one step that keeps its values in registers. Operands
// that lie in order are used where they are, others are gathered block by
// block, and those that lie across the output tile by tile. The other program
// kinds have a file each.
//
// How a step is split never shows in the result: parts of a reduction are cut
// at fixed places and combined in a fixed tree.
package cpu
