package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
)

// generator writes one random template together with data for it. The same seed and number give
// the same case for ever.
type generator struct {
	*rand.Rand
	sprig   bool
	defined []string
	loops   int // ranges around the current place
	nodes   int // what may still be written
}

// scope is what an expression may use at its place.
type scope struct {
	dot       sort
	variables []variable
}

type variable struct {
	name string
	sort sort
}

func generated(seed uint64, number int) Case {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, uint64(number)))}
	g.sprig = g.IntN(4) > 0
	g.nodes = 3 + g.IntN(12)
	data := g.data()
	var body strings.Builder
	if g.IntN(3) == 0 {
		g.defined = []string{"one", "two"}[:1+g.IntN(2)]
	}
	g.body(&body, &scope{dot: root}, 0)
	for _, name := range g.defined {
		fmt.Fprintf(&body, `{{ define %q }}`, name)
		g.nodes = 1 + g.IntN(4)
		inner := *g
		inner.defined = nil // no recursion: Go's depth limit is another one
		inner.loops = 0
		inner.body(&body, &scope{dot: any_}, 1)
		body.WriteString(`{{ end }}`)
	}
	c := Case{ID: fmt.Sprintf("%d/%d", seed, number), Template: body.String(), Data: data}
	if g.IntN(15) == 0 {
		c.Template = g.damage(c.Template)
	}
	c.Options.MissingKey = g.pick("", "", "", "", "", "default", "default", "zero", "zero", "error")
	if g.sprig {
		c.Options.Functions = "sprig"
	}
	return c
}

func (g *generator) pick(choices ...string) string { return choices[g.IntN(len(choices))] }

func (g *generator) chance(percent int) bool { return g.IntN(100) < percent }

// data always has the same names, so that fields are mostly found; their values differ.
func (g *generator) data() json.RawMessage {
	list := func(item func() string) string {
		parts := make([]string, g.IntN(4))
		for i := range parts {
			parts[i] = item()
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	object := func(depth int) string { return g.object(depth) }
	return json.RawMessage("{" + strings.Join([]string{
		`"s":` + g.jsonText(), `"t":` + g.jsonText(), `"e":""`,
		`"i":` + g.jsonWhole(), `"j":` + g.jsonWhole(), `"z":0`, `"k":` + g.pick("1", "2", "3"),
		`"f":` + g.jsonReal(), `"g":` + g.jsonReal(),
		`"b":` + g.pick("true", "false"), `"n":null`,
		`"l":` + list(func() string { return g.jsonAny(1) }),
		`"w":` + list(g.jsonText),
		`"lm":` + list(func() string { return object(1) }),
		`"m":` + object(2), `"d":` + object(1), `"em":{}`, `"el":[]`,
	}, ",") + "}")
}

func (g *generator) object(depth int) string {
	var parts []string
	for _, key := range []string{"a", "b", "k", "name"} {
		if g.chance(70) {
			parts = append(parts, fmt.Sprintf("%q:%s", key, g.jsonAny(depth)))
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func (g *generator) jsonAny(depth int) string {
	switch n := g.IntN(8); {
	case n == 0 && depth > 0:
		return g.object(depth - 1)
	case n == 1 && depth > 0:
		return "[" + g.jsonAny(depth-1) + "," + g.jsonAny(depth-1) + "]"
	case n < 4:
		return g.jsonText()
	case n < 6:
		return g.jsonWhole()
	case n == 6:
		return g.jsonReal()
	}
	return g.pick("null", "true", "false")
}

var texts = []string{"", "a", "abc", "Hello World", "foo-bar_baz", "日本", "é🎉", "a,b,,c", "  pad ", "42", "-7.5", "x\ny", "it's \"q\"", "<b>&</b>", "CamelCaseHTTP", "true", "1.2.3", "a/b/c.d", "%d", "{{x}}", "tab\there", "/", "0x1F", "ÅNGSTRÖM straße"}

func (g *generator) text() string { return texts[g.IntN(len(texts))] }

func (g *generator) jsonText() string {
	encoded, _ := json.Marshal(g.text())
	return string(encoded)
}

func (g *generator) jsonWhole() string {
	return g.pick("0", "1", "-1", "2", "7", "42", "-100", "1000000", "65", "9007199254740993", "9223372036854775807", "-9223372036854775808", fmt.Sprint(g.IntN(1000)))
}

func (g *generator) jsonReal() string {
	return g.pick("0.0", "1.0", "-1.5", "0.1", "2.5", "1e6", "1e21", "1.5e-7", "123456.789", "3.0", "0.30000000000000004", fmt.Sprintf("%.3f", g.Float64()*1000))
}

const punctuation = "{}|().$\"'`:=,- \n/*ae01\\"

// damage changes a few characters, to compare what both sides say about broken templates.
func (g *generator) damage(template string) string {
	runes := []rune(template)
	for range 1 + g.IntN(2) {
		if len(runes) == 0 {
			return ""
		}
		at := g.IntN(len(runes))
		symbol := []rune(punctuation)[g.IntN(len(punctuation))]
		switch g.IntN(10) {
		case 0, 1, 2:
			runes = append(runes[:at:at], runes[at+1:]...)
		case 3, 4, 5:
			runes = append(runes[:at:at], append([]rune{symbol}, runes[at:]...)...)
		case 6, 7, 8:
			runes[at] = symbol
		case 9:
			runes = runes[:at]
		}
	}
	return string(runes)
}
