package gemm

//go:generate go -C ../_gen run ./gemm
