package measured

import (
	"strings"

	"golang.org/x/image/colornames"

	"vitrine"
)

// A colorAsk is one color that an instruction asks for.
type colorAsk struct {
	name string // as asked: "forest green", "#0a2540"
	lab  lab
	// broad: an everyday word like "blue" that covers many shades.
	broad bool
	role  colorRole
}

// A colorRole says what is to have the color.
type colorRole string

const (
	roleAny        colorRole = "somewhere"
	roleBackground colorRole = "as background"
	roleComponent  colorRole = "on components"
)

// moreColors are names in common use that SVG 1.1 does not define.
var moreColors = map[string]vitrine.Color{
	"amber": rgb(0xffbf00), "azuremist": rgb(0xf0ffff), "burgundy": rgb(0x800020), "charcoal": rgb(0x36454f), "cream": rgb(0xfffdd0),
	"emerald": rgb(0x50c878), "jade": rgb(0x00a86b), "lightgoldenrod": rgb(0xfafad2), "mint": rgb(0x98ff98),
	"mustard": rgb(0xffdb58), "navyblue": rgb(0x000080), "offwhite": rgb(0xfaf9f6), "peach": rgb(0xffe5b4),
	"rosegold": rgb(0xb76e79), "sapphire": rgb(0x0f52ba), "terracotta": rgb(0xe2725b), "lilac": rgb(0xc8a2c8),
}

// broadColors cover a whole family of shades in everyday speech; each is given by
// the middle of its family, which for brown, blue and purple is not the color
// that CSS has under the name.
var broadColors = map[string]vitrine.Color{
	"red": rgb(0xe02020), "green": rgb(0x1a9641), "blue": rgb(0x2040e8), "yellow": rgb(0xffe020), "orange": rgb(0xff9010), "purple": rgb(0x8020b0),
	"pink": rgb(0xff80b0), "brown": rgb(0x8b4513), "gray": rgb(0x808080), "grey": rgb(0x808080), "white": white, "black": rgb(0),
}

var white = rgb(0xffffff)

func rgb(v uint32) vitrine.Color {
	return vitrine.Color{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 255}
}

// The words around a color that say what it is for, and those that at least say
// that a color is meant ("a theme in navy"): "gold" alone may be a resource.
var (
	backgroundWords = wordSet("background backgrounds backdrop backdrops base body layout canvas page pages container containers")
	componentWords  = wordSet("component components element elements button buttons ui interface interfaces control controls block blocks accent accents " +
		"visual visuals card cards link links header footer navbar heading headings text widget widgets icon icons font")
	colorWords = wordSet("color colors colour colours theme themed palette scheme style styled styling tone tones hue hues shade shades gradient gradients design")
	// linkWords may follow a color that stands for itself; after "black" in
	// "black hole" comes none of them.
	linkWords = wordSet("as for in to on and or with at across throughout by from of while that which is the using into against over via if when plus")
)

func wordSet(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}

// askedColors reads the colors out of an instruction, clause by clause: a color
// belongs to the background or to the components that its own clause names.
func askedColors(text string) []colorAsk {
	var asks []colorAsk
	for _, clause := range clauses(words(text)) {
		role, meant := clauseRole(clause)
		for i := 0; i < len(clause); {
			ask, n := colorAt(clause[i:])
			if n == 0 {
				i++
				continue
			}
			named := strings.HasPrefix(ask.name, "#")
			if (named || meant && standsAlone(clause[i+n:])) && !negated(" "+strings.Join(clause[:i], " ")) {
				ask.role = role
				asks = append(asks, ask)
			}
			i += n
		}
	}
	return mergeAsks(asks)
}

// clauses cuts at punctuation and at "and", but keeps "black and white" whole.
func clauses(ws []string) [][]string {
	var out [][]string
	start := 0
	for i, w := range ws {
		if w != stop && w != "and" && w != "while" {
			continue
		}
		if w == "and" && i > start && i+1 < len(ws) && isColorWord(ws[i-1]) && isColorWord(ws[i+1]) {
			continue
		}
		out = append(out, ws[start:i])
		start = i + 1
	}
	return append(out, ws[start:])
}

func isColorWord(w string) bool {
	_, n := colorAt([]string{w})
	return n > 0
}

// clauseRole says what a clause talks about. meant is false if nothing in it has
// to do with colors.
func clauseRole(clause []string) (role colorRole, meant bool) {
	role = roleAny
	for _, w := range clause {
		switch {
		case w == "background" || w == "backgrounds" || w == "backdrop":
			return roleBackground, true
		case w == "scheme" || w == "palette":
			return roleAny, true
		case componentWords[w]:
			role, meant = roleComponent, true
		case backgroundWords[w]:
			if role == roleAny {
				role = roleBackground
			}
			meant = true
		case colorWords[w]:
			meant = true
		}
	}
	return role, meant
}

// colorAt reads the longest color name at the start of ws and says how many
// words it has; 0 if there is none.
func colorAt(ws []string) (colorAsk, int) {
	if hex := ws[0]; hex[0] == '#' {
		var c vitrine.Color
		if len(hex) == 4 {
			hex = string([]byte{'#', hex[1], hex[1], hex[2], hex[2], hex[3], hex[3]})
		}
		if err := c.UnmarshalText([]byte(hex)); err == nil {
			return colorAsk{name: hex, lab: toLab(c)}, 1
		}
		return colorAsk{}, 0
	}
	for n := min(4, len(ws)); n > 0; n-- {
		name := strings.Join(ws[:n], "")
		c, ok := moreColors[name]
		if !ok {
			named, known := colornames.Map[name]
			c, ok = vitrine.Color{R: named.R, G: named.G, B: named.B, A: 255}, known
		}
		if ok {
			broad, everyday := broadColors[name]
			if everyday {
				c = broad
			}
			return colorAsk{name: strings.Join(ws[:n], " "), lab: toLab(c), broad: everyday}, n
		}
	}
	return colorAsk{}, 0
}

// standsAlone looks at what follows a color name: the end of the clause, a small
// word, a word of colors or parts, or another color.
func standsAlone(after []string) bool {
	if len(after) == 0 {
		return true
	}
	w := after[0]
	return linkWords[w] || colorWords[w] || backgroundWords[w] || componentWords[w] || isColorWord(w)
}

func mergeAsks(asks []colorAsk) []colorAsk {
	var out []colorAsk
	seen := map[colorAsk]bool{}
	for _, a := range asks {
		if !seen[a] {
			seen[a] = true
			out = append(out, a)
		}
	}
	return out
}
