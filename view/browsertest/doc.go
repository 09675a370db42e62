// Package browsertest opens the page of package view, and the reports of 'twiddle
// analyze', in a real browser. It is a
// module of its own so that the library does not depend on what drives browsers.
//
//	cd view/browsertest && go test
//
// It needs a Chromium (Debian: apt-get install chromium); without one its tests
// are skipped. With TWIDDLE_SCREENSHOTS set to a folder, they leave pictures of
// the page there for people to look at.
package browsertest
