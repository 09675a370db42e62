package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"
)

func TestCheck(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: runs a part of the conformance suite")
	}
	var out, errs bytes.Buffer
	if code := run(context.Background(), []string{"check", "--for", "2s", "--json"}, &out, &errs); code != 0 {
		t.Fatalf("exit %d: %s%s", code, out.String(), errs.String())
	}
	var r checkReport
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	if r.Failed != 0 || len(r.Checked) < 2 || r.Version.Go == "" || len(r.Levels) == 0 {
		t.Errorf("%+v", r)
	}
	passed, pipelines := 0, 0
	for _, d := range r.Checked {
		pipelines += len(d.Pipelines)
		if d.Report != nil {
			passed += d.Report.Passed
			for _, g := range d.Report.Groups { // each at least once, however little time there is
				if g.Passed+g.Skipped == 0 {
					t.Errorf("nothing of %s was checked on %s", g.Name, d.Name)
				}
			}
		}
	}
	if passed < 20 || pipelines < 6 {
		t.Errorf("%d checks and %d pipelines", passed, pipelines)
	}
	out.Reset()
	if err := r.WriteText(&out); err != nil || !strings.Contains(out.String(), "All of it is right.") {
		t.Errorf("%v: %s", err, out.String())
	}
	r.Failed = 1
	out.Reset()
	if err := r.WriteText(&out); err != nil || !strings.Contains(out.String(), "attach this report") {
		t.Errorf("%v: %s", err, out.String())
	}
}

func TestCheckEnds(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run(context.Background(), []string{"check", "--for", "-1s"}, &out, &errs); code != 2 {
		t.Errorf("a negative time: exit %d, %s", code, errs.String())
	}
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(100*time.Millisecond, cancel)
	start := time.Now()
	if code := run(ctx, []string{"check", "--for", "1h"}, &out, &errs); code != 130 {
		t.Errorf("interrupted: exit %d, %s", code, errs.String())
	}
	if took := time.Since(start); took > 5*time.Minute {
		t.Errorf("it went on for %s", took)
	}
}
