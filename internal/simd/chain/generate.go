package chain

//go:generate go -C ../_gen run ./chain
