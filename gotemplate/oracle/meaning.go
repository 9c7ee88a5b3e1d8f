package main

import (
	"regexp"
	"strconv"
)

// meanings maps what Go says to the oracle's own words; the first match wins. The Java test holds
// the same words against the kind of its exception, so that texts may differ while meaning may not.
var meanings = []struct {
	word    string
	pattern *regexp.Regexp
}{
	// Reading the template.
	{"unknown-function", regexp.MustCompile(`function ".*" not defined`)},
	{"unknown-variable", regexp.MustCompile(`undefined variable`)},
	{"unterminated", regexp.MustCompile(`unclosed (comment|left paren|action)|comment ends before|unterminated (character|quoted|raw)|unexpected EOF|unexpected unclosed`)},
	{"bad-literal", regexp.MustCompile(`bad number syntax|integer overflow|illegal number syntax|malformed character constant|overflows int|^template: [^ ]+: invalid syntax$`)},
	{"outside-range", regexp.MustCompile(`\{\{(break|continue)\}\} outside`)},
	{"duplicate-template", regexp.MustCompile(`multiple definition of template`)},
	{"missing-value", regexp.MustCompile(`missing value for`)},
	{"too-deep", regexp.MustCompile(`max expression depth exceeded|exceeded maximum template depth`)},
	{"not-callable", regexp.MustCompile(`can't give argument to non-function|non executable command|nil is not a command|is not a method but has arguments|has arguments but cannot be invoked|non-function .* of type|call of nil`)},
	{"syntax", regexp.MustCompile(`^template: [^ ]+: (unexpected|expected end|expected :=|unrecognized|bad character|too many declarations|range can only|empty command)`)},
	// Executing it.
	{"limit", regexp.MustCompile(`limit of the oracle|output is larger than`)},
	{"missing-key", regexp.MustCompile(`map has no entry for key|nil data; no entry for key`)},
	{"no-field", regexp.MustCompile(`can't evaluate field|nil pointer evaluating|indirection through explicit nil|unexported field`)},
	{"unknown-template", regexp.MustCompile(`template ".*" not defined|incomplete or empty template`)},
	{"argument-count", regexp.MustCompile(`wrong number of args|missing argument for comparison`)},
	{"incomparable", regexp.MustCompile(`incompatible types for comparison|invalid type for comparison|non-comparable type`)},
	{"out-of-range", regexp.MustCompile(`error calling (index|slice): (index out of range|reflect: slice index out of range|invalid slice index|too many slice indexes)`)},
	{"argument-type", regexp.MustCompile(`wrong type for value|invalid value; expected|cannot assign nil|can't handle|: expected .*; found|error calling (index|slice|len): (can't (index|slice)|cannot (index|3-index)|(index|slice|len) of|value |reflect: call of)|dereference of nil`)},
	{"no-range", regexp.MustCompile(`range can't iterate over|iterate over more than one variable`)},
	{"function-failed", regexp.MustCompile(`error calling `)},
}

var place = regexp.MustCompile(`^template: [^:]*:(\d+)`)

func failure(phase string, err error) *Result {
	message := err.Error()
	line := 0
	if found := place.FindStringSubmatch(message); found != nil {
		line, _ = strconv.Atoi(found[1])
	}
	return &Result{Failure: &Failure{Phase: phase, Line: line, Meaning: meaning(message), Message: message}}
}

func meaning(message string) string {
	for _, candidate := range meanings {
		if candidate.pattern.MatchString(message) {
			return candidate.word
		}
	}
	return "other"
}
