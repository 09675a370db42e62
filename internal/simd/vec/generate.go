package vec

//go:generate go -C ../_gen run ./vec real
//go:generate go -C ../_gen run ./vec transpose
