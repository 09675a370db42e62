// Package page draws what [analyze.Recording] finds, as pictures with axes
// and as one HTML page that needs no other file.
package page
