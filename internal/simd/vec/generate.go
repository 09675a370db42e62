package vec

//go:generate go -C ../_gen run ./vec real
//go:generate go -C ../_gen run ./vec rows
//go:generate go -C ../_gen run ./vec diagonals
//go:generate go -C ../_gen run ./vec reduce
//go:generate go -C ../_gen run ./vec complex
//go:generate go -C ../_gen run ./vec convert
//go:generate go -C ../_gen run ./vec elementary
//go:generate go -C ../_gen run ./vec move
//go:generate go -C ../_gen run ./vec transpose
//go:generate go -C ../_gen run ./vec integer
//go:generate go -C ../_gen run ./vec cast
//go:generate go -C ../_gen run ./vec quotient
