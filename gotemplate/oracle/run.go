package main

import (
	"fmt"
	"strings"
	"text/template"
	"unicode/utf8"
)

// maxOutput keeps a runaway case from filling the memory; the Java side has the same limit.
const maxOutput = 1 << 20

type limited struct{ strings.Builder }

func (l *limited) Write(p []byte) (int, error) {
	if l.Len()+len(p) > maxOutput {
		return 0, fmt.Errorf("output is larger than %d bytes", maxOutput)
	}
	return l.Builder.Write(p)
}

// bases know the functions already: checking all of them for every case takes longer than the case.
var bases = map[string]*template.Template{
	"":      template.New("t"),
	"none":  template.New("t"),
	"sprig": template.New("t").Funcs(functions("sprig")),
}

// parse reads the template of a case. All cases are called t.
func parse(c Case) (*template.Template, error) {
	t, err := bases[c.Options.Functions].Clone()
	if err != nil {
		return nil, err
	}
	t.Delims(c.Options.Left, c.Options.Right)
	if c.Options.MissingKey != "" {
		t.Option("missingkey=" + c.Options.MissingKey)
	}
	return t.Parse(c.Template)
}

// run gives what real Go makes of a case.
func run(c Case) (*Result, error) {
	data, err := decode(c.Data)
	if err != nil {
		return nil, fmt.Errorf("case %s: data: %w", c.ID, err)
	}
	parsed, err := parse(c)
	if err != nil {
		return failure("parse", err), nil
	}
	var out limited
	if err := parsed.Execute(&out, data); err != nil {
		return failure("execute", err), nil
	}
	output := out.String()
	if !utf8.ValidString(output) {
		return &Result{Bytes: []byte(output)}, nil
	}
	return &Result{Output: &output}, nil
}
