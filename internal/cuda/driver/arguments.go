package driver

import "sync"

// mostArgs is how many arguments cuLaunchKernel has, the most of any.
const mostArgs = 11

// lists recycles argument lists: the ones that variadic calls make escape.
var lists = sync.Pool{New: func() any { return new([mostArgs]uintptr) }}
