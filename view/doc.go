// Package view shows recordings in a browser: waveform, spectrogram and power
// spectrum of hours of audio, of files that still grow, and live. It computes
// only what is on the screen, at its resolution, on the device that is chosen,
// and keeps a bounded amount of it. `twiddle view` is this package with flags;
// another server takes its Handler:
//
//	files, err := view.Files(audio.Options{}, "machine.wav")
//	h, err := view.Handler(files, view.Options{})
//	defer h.Close()
//	http.Handle("/spectra/", http.StripPrefix("/spectra", h))
//
// Words: a Source has items, each a Recording when it is open. A look is what
// determines the numbers of a spectrogram: channel, window, length, hop. Columns
// of a level each stand for a span of frames, twice that of the level below; a
// block is 256 columns next to each other, all bins of them; a tile is a part of
// a block in as many rows as the screen has use for. A pyramid holds the columns
// of a whole recording at the levels that are too wide to compute on demand.
//
// Levels are in decibels against a sine of amplitude 1, as in audio/analyze.
package view
