// Package measure computes what measuring instruments show: loudness, octave bands,
// statistics of vibrations, envelope and order spectra, shocks and load cycles, cepstra,
// pitch, tuning, onsets and beats, physical units.
//
//	m, err := measure.NewLoudness(48000, 2)
//	err = m.Add(samples)                     // interleaved, in any portions
//	fmt.Println(m.Integrated(), m.TruePeak()) // LUFS and dBTP
//
//	bands, err := measure.Octave{FS: 48000, Fraction: 3}.Apply(x)
//	levels := signal.PowerToDB(bands.Power)
//
// Functions that return arrays are lazy, as in nd. Functions whose course depends on the
// samples take a context and compute at once. Filters are those of package signal.
package measure
