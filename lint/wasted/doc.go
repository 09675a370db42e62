// Package wasted is TW007: transforms that compute more than is used.
//
// The spectrum of real numbers is its own mirror image. RFFT computes and stores
// half of it; and a transform that is undone at once computes nothing.
package wasted
