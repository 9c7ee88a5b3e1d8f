package main

import "strings"

// sort is what the generator knows about a value: enough to make most calls sensible.
type sort string

const (
	text   sort = "text"
	count  sort = "count" // a small integer: lengths, repetitions, indexes
	whole  sort = "whole"
	real   sort = "real"
	truth  sort = "truth"
	items  sort = "items"
	words  sort = "words"
	fields sort = "fields" // a map whose keys are not known
	root   sort = "root"   // the data of the case
	moment sort = "moment"
	any_   sort = "any"
)

// fresh is a map that nothing else refers to. Only such maps are changed with maps, because real Go
// dies of a map that contains itself.
const fresh sort = "fresh"

// signature is a function that the generator may call. A parameter that ends in * is taken up to
// three times; the last parameter may also come through a pipe.
type signature struct {
	name       string
	parameters []string
	result     sort
}

var builtins = signatures(`
and any any* = any
or any any* = any
not any = truth
len words = whole
len text = whole
index some zero = any
index fields key = any
slice text zero = text
slice text zero one = text
slice items zero = items
print any* = text
println any* = text
html any* = text
js any* = text
urlquery any* = text
eq text text* = truth
eq whole whole = truth
ne text text = truth
eq any nilled = truth
lt whole whole = truth
le text text = truth
gt real real = truth
ge whole whole = truth
`)

var sprigs = signatures(`
abbrev count text = text
abbrevboth count count text = text
trunc count text = text
trim text = text
upper text = text
lower text = text
title text = text
untitle text = text
substr count count text = text
repeat count text = text
trimAll text text = text
trimSuffix text text = text
trimPrefix text text = text
nospace text = text
initials text = text
swapcase text = text
snakecase text = text
camelcase text = text
kebabcase text = text
wrap count text = text
wrapWith count text text = text
contains text text = truth
hasPrefix text text = truth
hasSuffix text text = truth
quote any* = text
squote any* = text
cat any* = text
indent count text = text
nindent count text = text
replace text text text = text
plural text text whole = text
sha1sum text = text
sha256sum text = text
adler32sum text = text
toString any = text
atoi text = whole
int64 any = whole
int any = whole
float64 any = real
seq count* = text
toDecimal any = whole
split text text = any
splitList text text = words
splitn text count text = any
toStrings items = words
until count = items
untilStep count count step = items
add1 any = whole
add any* = whole
sub any any = whole
div whole whole = whole
mod whole whole = whole
mul any any* = whole
add1f any = real
addf any* = real
subf any any* = real
divf real real = real
mulf any any* = real
max any any* = whole
min any any* = whole
maxf any any* = real
minf any any* = real
ceil any = real
floor any = real
round real count = real
join text any = text
sortAlpha any = words
default any any = any
empty any = truth
coalesce any* = any
all any* = truth
any any* = truth
compact items = items
mustCompact items = items
fromJson json = any
mustFromJson json = any
toJson any = text
toPrettyJson any = text
toRawJson any = text
mustToJson any = text
ternary any any truth = any
deepCopy fields = fields
typeOf any = text
typeIs typename any = truth
typeIsLike typename any = truth
kindOf any = text
kindIs kindname any = truth
deepEqual any any = truth
base path = text
dir path = text
clean path = text
ext path = text
isAbs path = truth
osBase path = text
osClean path = text
b64enc text = text
b64dec text = text
b32enc text = text
b32dec text = text
list any* = items
tuple any* = items
dict = fields
dict key any = fields
dict key any key any = fields
get fields key = any
hasKey fields key = truth
pluck key fields* = items
keys fields = words
values fields = items
pick fields key key = fields
omit fields key = fields
set fields key text = fields
set fresh key any = fields
unset fields key = fields
merge fresh fields = fields
mergeOverwrite fresh fields = fields
mustMerge fresh fields = fields
mustMergeOverwrite fresh fields = fields
append items any = items
push items any = items
prepend items any = items
first items = any
rest items = items
last items = any
initial items = items
reverse items = items
uniq items = items
without items any* = items
has any items = truth
slice some zero one = items
concat items items = items
dig key any fields = any
dig key key any fields = any
chunk count items = items
mustFirst items = any
mustLast items = any
mustRest items = items
mustReverse items = items
mustUniq items = items
mustHas any items = truth
mustWithout items any = items
mustSlice items count = items
mustAppend items any = items
mustPrepend items any = items
mustChunk count items = items
semverCompare constraint version = truth
semver version = any
regexMatch regex text = truth
mustRegexMatch regex text = truth
regexFind regex text = text
regexFindAll regex text limit = words
regexReplaceAll regex text text = text
regexReplaceAllLiteral regex text text = text
regexSplit regex text limit = words
regexQuoteMeta text = text
urlParse url = fields
urlJoin fields = text
date layout any = text
dateInZone layout any zone = text
htmlDate any = text
htmlDateInZone any zone = text
dateModify span moment = moment
mustDateModify span moment = moment
toDate layout datetext = moment
mustToDate layout datetext = moment
unixEpoch moment = text
duration any = text
durationRound any = text
durationRound span = text
now = moment
ago any = text
hello = text
`)

func signatures(table string) []signature {
	var all []signature
	for _, line := range strings.Split(strings.TrimSpace(table), "\n") {
		left, result, _ := strings.Cut(line, " = ")
		parts := strings.Fields(left)
		all = append(all, signature{parts[0], parts[1:], sort(result)})
	}
	return all
}

// literals are what a parameter of a special form is mostly given.
var literals = map[string][]string{
	"key":        {`"a"`, `"b"`, `"k"`, `"name"`, `"zz"`, `""`, `"x-y"`},
	"nilled":     {`nil`, `nil`, `$.n`, `$.n`, `$.s`, `1`},
	"zero":       {`0`, `0`, `0`, `1`, `(len "")`, `-1`},
	"one":        {`1`, `1`, `0`, `2`, `(len "ab")`},
	"some":       {`(list 1 "a")`, `$.l`, `(list "x" $)`, `$.w`, `(list nil 2.5 true)`},
	"step":       {`1`, `2`, `-1`, `3`, `0`},
	"limit":      {`-1`, `0`, `1`, `2`},
	"json":       {"`{\"a\": 1, \"b\": [true, null]}`", "`[1, 2.5, \"x\"]`", "`\"s\"`", "`12`", "`{`", "``", "`null`", "`{\"a\": {\"b\": {}}}`", "`[[], {}]`", "`1e3`"},
	"typename":   {`"string"`, `"int"`, `"int64"`, `"float64"`, `"bool"`, `"[]interface {}"`, `"map[string]interface {}"`, `"[]string"`},
	"kindname":   {`"string"`, `"int"`, `"int64"`, `"float64"`, `"bool"`, `"slice"`, `"map"`, `"invalid"`},
	"path":       {`"a/b/../c.txt"`, `"/x//y/"`, `"."`, `""`, `"../a.tar.gz"`, `"/"`, `"a b/.c"`},
	"url":        {`"http://u:p@h:80/a/b?q=1#f"`, `"/rel"`, `"mailto:a@b"`, `"https://x.y"`, `""`, `"http://a b"`, `"//h/p?x"`},
	"constraint": {`"^1.2"`, `">=1.0.0 <2"`, `"~1.2.3"`, `"1.x || >=3"`, `"*"`, `"1.2 - 1.4"`, `"x"`, `"!=1.2.3"`, `">1.0.0-alpha"`},
	"version":    {`"1.2.3"`, `"v1.3"`, `"2.0.0-rc.1+b"`, `"1"`, `"bad"`, `"1.4.0"`, `"3.0.1"`},
	"regex":      {`"[a-z]+"`, `"a*"`, `"(.)(.)"`, `"^\\w+$"`, `"\\s"`, `"(?i)A|b"`, `""`, `"[^0-9]"`, `"("`, `"x|"`, `".{2,3}?"`, `"\\b"`, `"[[:alpha:]-]+"`, `"\\pL"`, `"(a|ab)(c|bcd)?"`},
	"layout":     {`"2006-01-02"`, `"15:04:05.000 MST"`, `"Jan _2 2006 3:04PM"`, `"2006-01-02T15:04:05Z07:00"`, `"Monday 002 06 -0700"`},
	"datetext":   {`"2024-02-29"`, `"1999-12-31"`, `"2024-01-02T03:04:05+01:00"`, `"x"`, `""`},
	"zone":       {`"UTC"`, `"Europe/Berlin"`, `"America/New_York"`, `"Local"`, `""`, `"No/Where"`, `"Asia/Kolkata"`},
	"span":       {`"1h"`, `"-90m"`, `"36h15m"`, `"1.5s"`, `"bad"`, `"2400h"`, `"0"`, `""`},
}
