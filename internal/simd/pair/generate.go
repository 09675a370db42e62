package pair

//go:generate go -C ../_gen run ./pair
