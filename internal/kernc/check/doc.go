// Package check gives a kernel's tree its meaning: it resolves names, applies
// C's conversions, folds constants and refuses what cannot be right: writes
// to inputs, unset variables, functions that do not return. Its result is the
// typed tree of package ktree.
package check
