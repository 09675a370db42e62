package butterfly

//go:generate go -C ../_gen run ./butterfly -dir ../butterfly
