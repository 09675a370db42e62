// Package rules has no code, only tests of what holds for the whole repository: which package
// may import which, who may build programs, which words names are made of, that documents
// compile, print and link to what they say, and that licenses and examples are listed.
package rules
