// Package mixer mixes sequences by long convolutions: a block that, like
// attention, lets every position of a sequence see others, at the cost of an
// FFT.
//
//	u -> in -> short -> split: x1, x2, v
//	y = x2 * (conv(x1*v, k) + skip*(x1*v))  [+ conv(u, k') + skip'*u]
//	y -> out
//
// in and out are linear maps between channels, short is a convolution of three taps in
// every channel, and k has as many taps as the sequence has positions. The taps are not
// parameters: a small network with sine activations computes them from the position, so
// that a long filter has few parameters. The gates x1 and x2 make the mixing depend on
// the sequence.
//
// A Block only describes the computation. Its parameters are separate arrays, so that
// package learn can train them:
//
//	b := mixer.Block{Width: 64, Length: 256}
//	params, err := b.Init(nd.Key(1))
//	y := b.Apply(values, x)      // x and y of shape (batch, length, 64)
//
// A block is causal, so that no position depends on a later one, or bidirectional, with
// a second filter for later positions.
package mixer
