// Package command is the command twiddle-fleet, as a package: a program that
// registers jobs of its own and calls [Main] has all of its verbs and runners.
//
//	func main() {
//		fleet.Register("loudness", func() fleet.Job { return &Loudness{} })
//		os.Exit(command.Main(os.Args[1:]))
//	}
package command
