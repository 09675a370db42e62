module github.com/twiddle-go/twiddle/bench

go 1.26.0

replace github.com/twiddle-go/twiddle => ../

require (
	github.com/mjibson/go-dsp v0.0.0-20180508042940-11479a337f12
	github.com/twiddle-go/twiddle v0.0.0-00010101000000-000000000000
	gonum.org/v1/gonum v0.17.0
)

require (
	github.com/ebitengine/purego v0.11.2 // indirect
	golang.org/x/sys v0.49.0 // indirect
)
