// Package jobs is the jobs that archives are usually computed with. Importing
// it registers them:
//
//   - psd: power spectral density of each period, by Welch's method, and
//     percentiles of its segments.
//   - hmd: levels in hybrid millidecade bands, as ocean acousticians exchange
//     them: the numbers of PyPAM and of MBARI's pbp.
//   - levels: root mean square, peak, and levels in decidecade bands.
//   - mel: power in mel bands.
//   - peaks: the tones that stand out of each period's spectrum.
//   - correlate: correlations of all pairs of channels of all stations,
//     stacked by day.
//
// Levels are in decibels against the square of the unit of samples: full
// scale, or what a calibration gives.
package jobs

import "github.com/twiddle-go/twiddle/fleet"

func init() {
	fleet.Register("psd", func() fleet.Job { return &PSD{} })
	fleet.Register("hmd", func() fleet.Job { return &HMD{} })
	fleet.Register("levels", func() fleet.Job { return &Levels{} })
	fleet.Register("mel", func() fleet.Job { return &Mel{} })
	fleet.Register("peaks", func() fleet.Job { return &Peaks{} })
	fleet.Register("correlate", func() fleet.Job { return &Correlate{} })
}
