// Command regexcases writes what Go's regexp does with hand-picked and generated patterns, as tab-separated lines:
//
//	go run ./regexcases > ../src/test/resources/dev/slipway/gotemplate/regex/cases.tsv
package main

import (
	"bufio"
	"fmt"
	"math/rand"
	"os"
	"regexp"
	"strings"
	"unicode/utf16"
)

var picked = strings.Split(strings.TrimSpace(`
a
a*
a+?
(a*)*
(a*)+
(a|b)*?c
(|a)*
(|a)+
(a|)+
()*
(?:)*
(a*?)*
(?:a?)*?b
a{2}
a{2,}
a{,2}
a{0}
a{0,1}b
a{2,3}?
(ab){1,3}
x{0}y
a{1,2}{3}
a**
a*+
a+*?
a??
^
$
^$
(?m)^
(?m)$
(?m)^a$
\Aab\z
\bab\b
\B
\b
.
(?s).
(?i)straSSe
(?i)k
(?i)[k-m]
(?i)\x{212a}
(?i:a)b
(?-i)a
(?i-s).
(?U)a+
(?U)a+?
(?Ui)A*
(?i)(?s
(?
(?P<n>a)(?P<m>b)
(?<year>\d{4})-(?<month>\d\d)
(?P<n>
(?P<>a)
(?P<n-1>a)
(?P=n)
(?=a)
(?!a)
(?<=a)
(?'n'a)
[a-c]
[^a-c]
[]a]
[^]a]
[a-]
[-a]
[a\]]
[\d\s]
[^\d]
[\w-]
[[:alpha:]]
[[:^alpha:]]
[[:word:]x]
[[:foo:]]
[[:alpha]]
[z-a]
[a
[
[^
[\
\
\d+
\D+
\s
\S+
\w+
\W
(?i)\w+
(?i)[^\w]
(?i)[[:upper:]]+
\pL
\p{L}
\pN+
\p{Lu}
\P{Lu}+
\p{^Lu}
\p{Greek}+
\p{Han}
\p{Latin}
\p{Letter}
\p{uppercase_letter}
\p{Any}
\p{ASCII}
\p{Assigned}
\p{LC}
\p{Foo}
\p{
\p
\pX
(?i)\p{Lu}+
(?i)\P{Lu}+
(?i)\p{Ll}+
\Qa.b\E+
\Q
\Q\\E
\x41
\x{41}
\x{110000}
\x{}
\x
\x4
\x{41
\101
\0
\08
\8
\1
\18
\a\f\n\r\t\v
\_
\-
\q
\é
\C
\y
(
)
a)
(a
((a)
(a))
|
a|
|a
a||b
ab|cd|
(a|b|c|d)
a|b|[c-e]|f
*
+
?
{1}
{1,2}
{a}
a{
a{1
a{1,
a{1,2
a{a}
a{01}
a{1001}
a{1,1001}
a{3,2}
a{999999999999}
(a{100}){10}
(a{100}){11}
((a{10}){10}){10}
((a{10}){10}){11}
(?:a{2}){3}
(|*)
(*)
^*
$+
\b*
(^)*
(?:^a)+
(a+)(b+)
(a+|b)*
(a|ab)(c|bcd)(d*)
(a*)(a|aa)
(a*?)(a|aa)$
x*
a.*b
a.*?b
.*
.+?
(.)(.)
[a-z0-9._%+-]+@[a-z0-9.-]+\.[a-z]{2,}
^[a-z]([-a-z0-9]*[a-z0-9])?$
(\w+)\s(\w+)
[^,]+
,\s*
\.
-+
^\s+|\s+$
[^a-zA-Z0-9]+
([A-Z])
héllo
[é-ü]+
[^é]
日本
(日|本)+
.日
\x{1F600}
[\x{1F600}-\x{1F64F}]+
a(?i)B
a(?i)b|c
(a(?i)b)c
((?i)a)b
(?i)ſ
(?i)K
(?i)µ
(?i)ß
(?i)σ
(?i)ǆ
`), "\n")

var texts = []string{
	"", "a", "b", "ab", "aab", "abab", "aaa", "abc", "abcd", "xaybz", "hello world", " a  b ", "a\nb\n", "a,b, c,,d",
	"AB aB Ab", "2024-05-17 and 1999-01-02", "straße STRASSE", "k K \u212a", "héllo wörld", "日本語", "a日b", "😀😁x", "foo@example.com bar",
	"foo.bar-baz_qux", "$1 ${n}", "Σσς", "µΜμ", "ǄǅǆX", "a\tb\vc", "\\a.b+", "x-y--z", "aaaaaaaaaaaaaaaaaaaab", "(a)", "{1}", "1", "]-[", "ſS",
}

func esc(s string) string {
	return strings.NewReplacer("\\", "\\\\", "\t", "\\t", "\n", "\\n", "\r", "\\r").Replace(s)
}

func u16(s string) int { return len(utf16.Encode([]rune(s))) }

type gen struct{ r *rand.Rand }

func (g *gen) pick(s ...string) string { return s[g.r.Intn(len(s))] }

func (g *gen) node(d int) string {
	if d <= 0 {
		return g.pick("a", "b", "c", "ab", ".", "[ab]", "[^a]", "[a-c]", "\\w", "\\d", "^", "$", "\\b", "\\B", "é", "x", "", "\\s", "(?i)A", "\\pL")
	}
	switch g.r.Intn(9) {
	case 0, 1, 2:
		return g.node(d-1) + g.node(d-1)
	case 3:
		return "(" + g.node(d-1) + ")"
	case 4:
		return "(?:" + g.node(d-1) + "|" + g.node(d-1) + ")"
	case 5:
		return "(" + g.node(d-1) + "|" + g.node(d-1) + ")"
	case 6, 7:
		return "(?:" + g.node(d-1) + ")" + g.pick("*", "+", "?", "*?", "+?", "??", "{2}", "{1,3}", "{0,2}?", "{2,}", "{0}")
	default:
		return g.pick("(?i)", "(?m)", "(?s)", "(?U)", "(?i:", "(?m:") + g.node(d-1) + g.pick("", ")")
	}
}

func (g *gen) text() string {
	var b strings.Builder
	for n := g.r.Intn(14); n > 0; n-- {
		b.WriteString(g.pick("a", "b", "c", "a", "b", "A", "x", " ", "\n", "é", "1", "日", "😀"))
	}
	return b.String()
}

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for _, p := range picked {
		for _, t := range texts {
			if !emit(out, p, t) {
				break
			}
		}
	}
	g := &gen{rand.New(rand.NewSource(42))}
	for i := 0; i < 2500; i++ {
		p := g.node(1 + g.r.Intn(5))
		for j := 0; j < 1 && emit(out, p, g.text()); j++ {
		}
	}
}

func emit(out *bufio.Writer, p, t string) bool {
	re, err := regexp.Compile(p)
	if err != nil {
		fmt.Fprintf(out, "%s\terror\t%s\n", esc(p), esc(err.Error()))
		return false
	}
	var ms []string
	for _, m := range re.FindAllStringSubmatchIndex(t, -1) {
		var is []string
		for _, i := range m {
			if i >= 0 {
				i = u16(t[:i])
			}
			is = append(is, fmt.Sprint(i))
		}
		ms = append(ms, strings.Join(is, ","))
	}
	split := func(n int) string {
		s := re.Split(t, n)
		return fmt.Sprintf("%d:%s", len(s), esc(strings.Join(s, "|")))
	}
	fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\t%s\t%d\n", esc(p), esc(t), strings.Join(ms, ";"),
		esc(re.ReplaceAllString(t, "<$1${2}$n$$>")), split(-1), split(2), len(re.FindAllString(t, 2)))
	return true
}
