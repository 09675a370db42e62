package csv_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/twiddle-go/twiddle/audio/csv"
)

// A logger wrote milliseconds and two accelerations, with semicolons and decimal commas. The
// column of times gives the sampling rate.
func ExampleNewReader() {
	in := strings.NewReader("time [ms];ax [g];az [g]\n0,0;0,1;1,0\n0,5;0,2;1,1\n1,0;0,1;0,9\n")
	r, err := csv.NewReader(in, csv.Options{Columns: "az"})
	if err != nil {
		log.Fatal(err)
	}
	x := make([]float64, 3)
	n, err := r.Read64(x)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Names(), r.Rate(), x[:n])
	// Output: [az [g]] 2000 [1 1.1 0.9]
}
