// Callbacks hears from work that is under way: when an evaluation is over, and
// when a stream has done all it was given. Nothing waits for a callback.
package main

import (
	"fmt"
	"log"
	"sync"

	"github.com/twiddle-go/twiddle/nd"
)

func main() {
	var heard sync.WaitGroup
	var streams []*nd.Stream
	for i := range 2 {
		s, err := nd.CPU().NewStream()
		if err != nil {
			log.Fatal(err)
		}
		defer s.Close()
		streams = append(streams, s)

		x := nd.Normal(nd.Key(uint64(i)), nd.Float32, 1<<18).On(s).Exp().Sum()
		heard.Add(2)
		nd.Async(x).Then(func(err error) {
			defer heard.Done()
			fmt.Printf("evaluation %d is over, error %v\n", i, err)
		})
		if err := s.Then(func() {
			defer heard.Done()
			fmt.Printf("stream %d has nothing left to do\n", i)
		}); err != nil {
			log.Fatal(err)
		}
	}
	heard.Wait()
	fmt.Println(len(streams), "streams done")
}
