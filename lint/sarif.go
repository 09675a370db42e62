package lint

import (
	"encoding/json"
	"io"
	"path/filepath"
)

// SARIF 2.1.0, the parts that code hosts and editors read.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name  string      `json:"name"`
		URI   string      `json:"informationUri"`
		Rules []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string       `json:"id"`
		Name    string       `json:"name"`
		Short   sarifText    `json:"shortDescription"`
		Help    sarifHelp    `json:"help"`
		HelpURI string       `json:"helpUri"`
		Default sarifDefault `json:"defaultConfiguration"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifHelp struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown"`
	}
	sarifDefault struct {
		Level string `json:"level"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
	}
)

func sarifLevel(k Kind) string {
	switch k {
	case Error:
		return "error"
	case Warn:
		return "warning"
	}
	return "note"
}

// WriteSARIF prints the report in the form that code hosts show beside the
// code. Columns count bytes, which are characters in all but rare lines.
func (r *Report) WriteSARIF(w io.Writer) error {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "twiddle lint", URI: "https://github.com/twiddle-go/twiddle"}
	for _, rule := range Rules() {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
			ID: rule.Code, Name: rule.Analyzer.Name, Short: sarifText{rule.Title}, Help: sarifHelp{rule.Title, rule.Lesson},
			HelpURI: rule.Analyzer.URL, Default: sarifDefault{sarifLevel(rule.Kind)},
		})
	}
	for _, f := range r.Findings {
		run.Results = append(run.Results, sarifResult{
			RuleID: f.Code, Level: sarifLevel(f.Kind), Message: sarifText{f.Message},
			Locations: []sarifLocation{{sarifPhysical{
				Artifact: sarifArtifact{filepath.ToSlash(f.File)},
				Region:   sarifRegion{f.Line, f.Column, f.EndLine, f.EndColumn},
			}}},
		})
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(sarifLog{
		Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run},
	})
}
