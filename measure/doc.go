// Package measure is what instruments show: loudness, octave bands, the figures of
// vibrations, envelope and order spectra, cepstra, pitch, tuning, onsets and beats, physical units.
//
//	m, err := measure.NewLoudness(48000, 2)
//	err = m.Add(samples)                     // interleaved, in any portions
//	fmt.Println(m.Integrated(), m.TruePeak()) // LUFS and dBTP
//
//	bands, err := measure.Octave{FS: 48000, Fraction: 3}.Apply(x)
//	levels := signal.PowerToDB(bands.Power)
//
// What depends on arrays is lazy, as all of nd; what looks at samples to decide takes a
// context. Filters are those of package signal.
package measure
