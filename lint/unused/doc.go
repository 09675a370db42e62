// Package unused is TW017: operations whose result nobody uses.
//
// Arrays do not change. x.Add(y) as a statement of its own does nothing.
package unused
