// Package view shows recordings in a browser: waveform, spectrogram and power spectrum
// of hours of audio, of growing files, and live. It computes only the visible part, at
// the resolution of the screen, on a device of your choice, and keeps a bounded amount
// in memory. `twiddle view` is this package with flags; use its Handler in your own
// server:
//
//	files, err := view.Files(audio.Options{}, "machine.wav")
//	h, err := view.Handler(files, view.Options{})
//	defer h.Close()
//	http.Handle("/spectra/", http.StripPrefix("/spectra", h))
//
// Words: a Source has items, each a Recording when it is open. A look is the parameters
// of a spectrogram: channel, window, length, hop. Columns of a level each stand for a
// span of frames, twice that of the level below; a block is 256 columns next to each
// other, all bins of them; a tile is a part of a block, reduced to the rows that the
// screen shows. A pyramid holds the columns of a whole recording at the levels that are
// too wide to compute on demand.
//
// Levels are in decibels against a sine of amplitude 1, as in audio/analyze.
package view
