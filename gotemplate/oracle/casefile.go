package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A case file is made to be read by people:
//
//	## section title            starts a section; data, options and lists end with it
//	# remark
//	data: {"a": 1}              JSON, for the cases that follow
//	options: missingkey=error left=<< right=>> functions=sprig
//	each VALUE: 1 | "a" | nil   every following case that contains VALUE is written once per item
//	{{ .a }}                    any other line is a case
//	<<<                         a case of several lines, up to >>> (the last line end is not part of it)
//
// A case is called topic/section/number.
type caseFile struct {
	topic, section string
	count          int
	data           json.RawMessage
	options        Options
	lists          []list
	cases          []Case
}

type list struct {
	name  string
	items []string
}

func readCaseFile(path string) ([]Case, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f := &caseFile{topic: strings.TrimSuffix(filepath.Base(path), ".cases")}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		if lines[i] == "<<<" {
			start := i + 1
			for i++; i < len(lines) && lines[i] != ">>>"; i++ {
			}
			f.add(strings.Join(lines[start:min(i, len(lines))], "\n"))
			continue
		}
		if err := f.line(lines[i]); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, i+1, err)
		}
	}
	return f.cases, nil
}

func (f *caseFile) line(line string) error {
	switch {
	case line == "" || strings.HasPrefix(line, "# "):
		return nil
	case strings.HasPrefix(line, "## "):
		*f = caseFile{topic: f.topic, section: slug(line[3:]), cases: f.cases}
		return nil
	case strings.HasPrefix(line, "data: "):
		f.data = json.RawMessage(line[6:])
		if !json.Valid(f.data) {
			return fmt.Errorf("data is no JSON: %s", f.data)
		}
		return nil
	case strings.HasPrefix(line, "options: "):
		return f.readOptions(line[9:])
	case strings.HasPrefix(line, "each "):
		name, items, _ := strings.Cut(line[5:], ": ")
		f.lists = append(f.lists, list{name, strings.Split(items, " | ")})
		return nil
	}
	f.add(line)
	return nil
}

func (f *caseFile) readOptions(text string) error {
	f.options = Options{}
	for _, option := range strings.Fields(text) {
		name, value, _ := strings.Cut(option, "=")
		switch name {
		case "missingkey":
			f.options.MissingKey = value
		case "left":
			f.options.Left = value
		case "right":
			f.options.Right = value
		case "functions":
			f.options.Functions = value
		default:
			return fmt.Errorf("unknown option %q", name)
		}
	}
	return nil
}

func (f *caseFile) add(template string) {
	texts := []string{template}
	for _, l := range f.lists {
		if strings.Contains(template, l.name) {
			texts = l.expand(texts)
		}
	}
	for _, text := range texts {
		f.count++
		id := fmt.Sprintf("%s/%s/%d", f.topic, f.section, f.count)
		f.cases = append(f.cases, Case{ID: id, Template: text, Data: f.data, Options: f.options})
	}
}

func (l list) expand(texts []string) []string {
	var expanded []string
	for _, text := range texts {
		for _, item := range l.items {
			expanded = append(expanded, strings.ReplaceAll(text, l.name, item))
		}
	}
	return expanded
}

func slug(title string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(title), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9')
	}), "-")
}
