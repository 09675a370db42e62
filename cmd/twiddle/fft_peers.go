package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/twiddle-go/twiddle/internal/peer"
)

// openPeers opens the peers named in a list separated by commas; an empty list
// is none. One that is not on this machine is noted on w and left out.
func openPeers(list string, w io.Writer) ([]peer.FFT, error) {
	var peers []peer.FFT
	if list == "" {
		return nil, nil
	}
	for name := range strings.SplitSeq(list, ",") {
		p, err := peer.OpenFFT(name)
		switch {
		case errors.Is(err, peer.ErrNotPresent):
			fmt.Fprintf(w, "twiddle: %v\n", err)
		case err != nil:
			return nil, usagef("--peers: %w", err)
		default:
			peers = append(peers, p)
		}
	}
	return peers, nil
}
