package rules_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// phrases tell licenses by their texts.
var phrases = map[string]string{
	"Apache-2.0":              "Apache License",
	"BSD-2-Clause":            "Redistribution and use in source and binary forms",
	"BSD-3-Clause":            "Redistribution and use in source and binary forms",
	"CC-BY-4.0":               "Creative Commons Attribution 4.0",
	"FTL or GPL-2.0-or-later": "The FreeType License",
	"ISC":                     "distribute this software for any purpose",
	"MIT":                     "Permission is hereby granted, free of charge",
	"OFL-1.1":                 "SIL OPEN FONT LICENSE",
	"Unlicense":               "unencumbered software",
}

// Every module of every go.mod is in docs/LICENSES.md, and its license is what the
// module says itself, where it is on this machine.
func TestLicensesAreListed(t *testing.T) {
	page, err := os.ReadFile("docs/LICENSES.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\| ([^|]+) \\|").FindAllStringSubmatch(string(page), -1) {
		listed[row[1]] = row[2]
	}
	cache, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	requires := regexp.MustCompile(`(?m)^\s*(?:require )?([a-z0-9.-]+\.[a-z]+/\S+) (v\S+)`)
	seen, looked := map[string]bool{}, 0
	for _, file := range []string{"go.mod", "fleet/go.mod", "view/browsertest/go.mod", "bench/go.mod", "internal/simd/_gen/go.mod"} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range requires.FindAllStringSubmatch(string(data), -1) {
			name, version := m[1], m[2]
			if strings.HasPrefix(name, module) || seen[name] {
				continue
			}
			seen[name] = true
			license, ok := listed[name]
			if !ok {
				t.Errorf("%s: %s is not in docs/LICENSES.md", file, name)
				continue
			}
			texts := licenseTexts(filepath.Join(strings.TrimSpace(string(cache)), escaped(name)+"@"+version))
			if texts == "" {
				continue // not on this machine
			}
			looked++
			for _, one := range strings.Split(license, ", ") {
				if phrase := phrases[one]; phrase == "" || !strings.Contains(strings.ToLower(texts), strings.ToLower(phrase)) {
					t.Errorf("%s is listed under %s, which its files do not say", name, one)
				}
			}
		}
	}
	for name := range listed {
		if !seen[name] {
			t.Errorf("docs/LICENSES.md lists %s, which nothing requires", name)
		}
	}
	if looked < 10 {
		t.Errorf("only %d modules are on this machine: the test looks in the wrong place", looked)
	}
}

// licenseTexts is the license files of a module, their lines joined.
func licenseTexts(folder string) string {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return ""
	}
	var all strings.Builder
	for _, e := range entries {
		name := strings.ToLower(e.Name())
		if strings.HasPrefix(name, "licen") || strings.HasPrefix(name, "copying") || strings.HasPrefix(name, "unlicense") {
			if data, err := os.ReadFile(filepath.Join(folder, e.Name())); err == nil {
				all.WriteString(strings.Join(strings.Fields(string(data)), " "))
			}
		}
	}
	return all.String()
}

// escaped is a module's path as the cache spells it: capitals get a mark.
func escaped(path string) string {
	var b strings.Builder
	for _, r := range path {
		if unicode.IsUpper(r) {
			b.WriteByte('!')
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
	}
	return b.String()
}
