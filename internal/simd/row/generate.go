package row

//go:generate go -C ../_gen run ./row
