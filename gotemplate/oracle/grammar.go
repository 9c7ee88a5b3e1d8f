package main

import (
	"fmt"
	"strconv"
	"strings"
)

// body writes text and actions. Variables declared inside end with it.
func (g *generator) body(out *strings.Builder, outer *scope, depth int) {
	inner := &scope{dot: outer.dot, variables: append([]variable(nil), outer.variables...)}
	for range 1 + g.IntN(3) {
		if g.nodes <= 0 {
			break
		}
		g.nodes--
		g.node(out, inner, depth)
	}
}

func (g *generator) node(out *strings.Builder, s *scope, depth int) {
	choice := g.IntN(20)
	if depth > 3 && choice > 10 {
		choice = g.IntN(8)
	}
	switch choice {
	case 0, 1:
		out.WriteString(g.pick("text", " ", "\n", "  \n  ", "a: ", ", ", "{ }", "日", "\t- "))
	case 2, 3, 4, 5, 6, 7:
		g.action(out, g.pipeline(s, g.sort(), 2))
	case 8, 9:
		g.declare(out, s)
	case 10:
		g.assign(out, s)
	case 11, 12:
		g.condition(out, s, depth)
	case 13, 14, 15:
		g.loop(out, s, depth)
	case 16, 17:
		g.with(out, s, depth)
	case 18:
		g.call(out, s)
	case 19:
		g.leave(out, s)
	}
}

// action writes an action with or without trim markers.
func (g *generator) action(out *strings.Builder, inside string) {
	out.WriteString(g.pick("{{ ", "{{ ", "{{ ", "{{", "{{- ", "{{\n"))
	out.WriteString(inside)
	out.WriteString(g.pick(" }}", " }}", " }}", "}}", " -}}", "\n}}"))
}

func (g *generator) declare(out *strings.Builder, s *scope) {
	kind := g.sort()
	name := g.pick("$x", "$y", "$z")
	g.action(out, name+" := "+g.pipeline(s, kind, 2))
	s.variables = append(s.variables, variable{name, kind})
}

func (g *generator) assign(out *strings.Builder, s *scope) {
	if len(s.variables) == 0 {
		out.WriteString(g.pick("{{/* nothing to assign */}}", "{{- /* nothing */ -}}", "{{/**/ -}}"))
		return
	}
	v := s.variables[g.IntN(len(s.variables))]
	g.action(out, v.name+" = "+g.pipeline(s, v.sort, 2))
}

func (g *generator) condition(out *strings.Builder, s *scope, depth int) {
	inner := *s
	declaration := ""
	if g.chance(15) {
		inner.variables = append(append([]variable(nil), s.variables...), variable{"$c", truth})
		declaration = "$c := "
	}
	g.action(out, "if "+declaration+g.pipeline(s, g.mostly(truth), 2))
	g.body(out, &inner, depth+1)
	for g.chance(20) {
		g.action(out, "else if "+g.pipeline(&inner, g.mostly(truth), 1))
		g.body(out, &inner, depth+1)
	}
	g.otherwise(out, &inner, depth)
}

func (g *generator) loop(out *strings.Builder, s *scope, depth int) {
	kind := []sort{items, items, words, fields, count}[g.IntN(5)]
	if g.chance(2) {
		kind = []sort{text, real, truth, moment}[g.IntN(4)] // never any integer: it may be large
	}
	inner := scope{dot: any_, variables: append([]variable(nil), s.variables...)}
	if kind == words {
		inner.dot = text
	}
	header := ""
	switch g.IntN(4) {
	case 0:
		header = "$v := "
		inner.variables = append(inner.variables, variable{"$v", inner.dot})
	case 1:
		if kind != count || g.chance(3) {
			header = "$i, $v := "
			inner.variables = append(inner.variables, variable{"$i", any_}, variable{"$v", inner.dot})
		}
	}
	g.action(out, "range "+header+g.pipeline(s, kind, 1))
	g.loops++
	g.body(out, &inner, depth+1)
	g.loops--
	g.otherwise(out, s, depth)
}

func (g *generator) with(out *strings.Builder, s *scope, depth int) {
	kind := g.mostly(fields)
	inner := scope{dot: kind, variables: append([]variable(nil), s.variables...)}
	header := ""
	if g.chance(20) {
		header = "$w := "
		inner.variables = append(inner.variables, variable{"$w", kind})
	}
	g.action(out, "with "+header+g.pipeline(s, kind, 1))
	g.body(out, &inner, depth+1)
	if g.chance(15) {
		other := g.sort()
		g.action(out, "else with "+g.pipeline(s, other, 1))
		g.body(out, &scope{dot: other, variables: s.variables}, depth+1)
	}
	g.otherwise(out, s, depth)
}

func (g *generator) otherwise(out *strings.Builder, s *scope, depth int) {
	if g.chance(40) {
		g.action(out, "else")
		g.body(out, s, depth+1)
	}
	g.action(out, "end")
}

func (g *generator) call(out *strings.Builder, s *scope) {
	if len(g.defined) == 0 {
		out.WriteString(g.pick("{{/* a }} note */}}", "x", "\n", " {{- /**/}}"))
		if g.chance(5) {
			g.action(out, `template "nosuch"`)
		}
		return
	}
	g.action(out, fmt.Sprintf("template %q %s", g.defined[g.IntN(len(g.defined))], g.pipeline(s, any_, 1)))
}

func (g *generator) leave(out *strings.Builder, s *scope) {
	if g.loops == 0 && g.chance(98) {
		out.WriteString(g.pick("x", "\n", " "))
		return
	}
	g.action(out, "if "+g.pipeline(s, truth, 1))
	g.action(out, g.pick("break", "continue"))
	g.action(out, "end")
}

var sorts = []sort{text, text, text, whole, whole, real, truth, items, words, fields, any_, moment}

func (g *generator) sort() sort {
	kind := sorts[g.IntN(len(sorts))]
	if kind == moment && !g.sprig {
		return text
	}
	return kind
}

func (g *generator) mostly(kind sort) sort {
	if g.chance(70) {
		return kind
	}
	return g.sort()
}

// pipeline gives a pipeline whose last command has the wanted sort.
func (g *generator) pipeline(s *scope, kind sort, depth int) string {
	if depth > 0 && g.chance(65) {
		if call, ok := g.function(s, kind, depth); ok {
			return call
		}
	}
	return g.operand(s, kind, depth)
}

// function gives a call, with the last argument before a pipe now and then.
func (g *generator) function(s *scope, kind sort, depth int) (string, bool) {
	if kind == text && g.chance(12) {
		return g.printf(s, depth), true
	}
	table := builtins
	if g.sprig && g.chance(85) {
		table = sprigs
	}
	var fitting []signature
	for _, candidate := range table {
		if kind == any_ || candidate.result == kind {
			fitting = append(fitting, candidate)
		}
	}
	if len(fitting) == 0 {
		return "", false
	}
	f := fitting[g.IntN(len(fitting))]
	var arguments []string
	for _, parameter := range f.parameters {
		times := 1
		if name, variadic := strings.CutSuffix(parameter, "*"); variadic {
			parameter, times = name, g.IntN(4)
		}
		for range times {
			arguments = append(arguments, g.argument(s, parameter, depth-1))
		}
	}
	if g.chance(1) {
		arguments = append(arguments, g.operand(s, any_, 0))
	}
	return g.piped(f.name, arguments), true
}

func (g *generator) piped(name string, arguments []string) string {
	last := len(arguments) - 1
	if last < 0 || !g.chance(35) {
		return strings.Join(append([]string{name}, arguments...), " ")
	}
	first := arguments[last]
	if strings.HasPrefix(first, "(") && strings.HasSuffix(first, ")") && g.chance(50) && !strings.Contains(first[1:], "(") {
		first = first[1 : len(first)-1]
	}
	return first + " | " + strings.Join(append([]string{name}, arguments[:last]...), " ")
}

func (g *generator) argument(s *scope, parameter string, depth int) string {
	if choices := literals[parameter]; choices != nil && (g.sprig || parameter != "some") {
		if g.chance(97) {
			return g.pick(choices...)
		}
		return g.operand(s, text, depth)
	}
	kind := sort(parameter)
	if parameter == "some" {
		kind = items
	}
	if kind == fresh {
		return g.pick("(dict)", `(dict "a" 1)`, `(dict "a" (dict "b" 2) "k" "")`, "(deepCopy $.m)", "(deepCopy $.d)")
	}
	if g.chance(2) {
		kind = []sort{text, real, truth, items, fields}[g.IntN(5)]
	}
	return g.operand(s, kind, depth)
}

// operand gives something that may stand as an argument.
func (g *generator) operand(s *scope, kind sort, depth int) string {
	if depth > 0 && g.chance(35) {
		if call, ok := g.function(s, kind, depth); ok {
			return "(" + call + ")"
		}
	}
	if g.chance(25) {
		if name := g.variable(s, kind); name != "" {
			return name
		}
	}
	if s.dot == kind && g.chance(40) {
		return "."
	}
	if s.dot == fields && kind == any_ && g.chance(40) {
		return g.pick(".a", ".b", ".k", ".name")
	}
	if g.chance(45) {
		return g.literal(s, kind)
	}
	return g.field(s, kind)
}

func (g *generator) variable(s *scope, kind sort) string {
	sorts := map[string]sort{}
	for _, v := range s.variables {
		sorts[v.name] = v.sort // a later declaration hides an earlier one
	}
	var fitting []string
	for _, name := range []string{"$c", "$i", "$v", "$w", "$x", "$y", "$z"} {
		if found, declared := sorts[name]; declared && (found == kind || kind == any_) {
			fitting = append(fitting, name)
		}
	}
	if len(fitting) == 0 {
		return ""
	}
	return g.pick(fitting...)
}

func (g *generator) field(s *scope, kind sort) string {
	names := map[sort][]string{
		text:   {".s", ".t", ".e", ".s"},
		count:  {".k", ".k", ".z", ".k"},
		whole:  {".i", ".j", ".z", ".k"},
		real:   {".f", ".g"},
		truth:  {".b", ".n", ".i", ".s", ".missing"},
		items:  {".l", ".lm", ".el", ".w"},
		words:  {".w", ".el"},
		fields: {".m", ".d", ".em"},
		any_:   {".s", ".t", ".i", ".j", ".f", ".g", ".b", ".n", ".l", ".m", ".d", ".m.a", ".d.k", ".m.b", ".missing", ".lm", ".w", ".m.name", ".e", ".z", ".el", ".em", ".k"},
		moment: {"now"},
	}[kind]
	name := g.pick(names...)
	if g.chance(1) {
		name = g.pick(".missing.x", ".s.x", ".m.a.b", ".n.x")
	}
	if kind == moment {
		return name
	}
	if s.dot != root || g.chance(20) {
		return "$" + name
	}
	return name
}

func (g *generator) literal(s *scope, kind sort) string {
	switch kind {
	case text:
		if t := g.text(); g.chance(20) && !strings.Contains(t, "`") {
			return "`" + t + "`"
		}
		return strconv.Quote(g.text())
	case count:
		return g.pick("0", "1", "2", "3", "5", "-1")
	case whole:
		return g.pick("0", "1", "-1", "42", "0x1F", "0b11", "1_000", "'a'", "007", fmt.Sprint(g.IntN(200)-100))
	case real:
		return g.pick("1.5", "-0.5", "1e3", ".25", "2.0", "1e-7", "0x1p4")
	case truth:
		return g.pick("true", "false")
	case any_:
		return g.pick("nil", "true", "0", "1", `""`, `"a"`, "1.5", "'x'", "$", ".", strconv.Quote(g.text()))
	}
	if !g.sprig {
		return g.field(s, kind)
	}
	switch kind {
	case items:
		return g.pick("(list)", `(list 1 2 3)`, `(list "b" "a" "b")`, `(list nil 0 "" .)`, "(until 3)")
	case words:
		return g.pick(`(splitList "," "a,b,c")`, `(keys $.m)`)
	case fields:
		return g.pick("(dict)", `(dict "a" 1)`, `(dict "a" "x" "b" (list 1))`, `(dict "k" (dict "a" nil))`)
	case moment:
		return g.pick("now", `(toDate "2006-01-02" "2024-02-29")`)
	}
	return g.field(s, kind)
}

func (g *generator) printf(s *scope, depth int) string {
	var format strings.Builder
	var arguments []string
	for range 1 + g.IntN(3) {
		format.WriteString(g.pick("", "a", "-", "%%", "日", " "))
		format.WriteString("%" + g.pick("", "", "", "-", "+", "#", "0", " ", "+#") + g.pick("", "", "", "5", "12", "3") + g.pick("", "", "", ".2", ".0", "."))
		kind, verbs := any_, "vsdqxT"
		switch g.IntN(6) {
		case 0, 1:
			kind, verbs = text, "sqvxX"
		case 2:
			kind, verbs = whole, "dvxXobcqUO"
		case 3:
			kind, verbs = real, "fegvEG"
		case 4:
			kind, verbs = truth, "tv"
		}
		format.WriteString(string(verbs[g.IntN(len(verbs))]))
		if g.chance(95) {
			arguments = append(arguments, g.operand(s, kind, depth-1))
		}
	}
	return g.piped("printf", append([]string{strconv.Quote(format.String())}, arguments...))
}
