package require

import (
	"regexp"
	"strings"

	"vitrine"
)

// cssNames are the colour names of CSS Color Module Level 4, and two that instructions
// have beside them.
var cssNames = set("aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab orange orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato turquoise violet wheat white whitesmoke yellow yellowgreen azuremist lightgoldenrod")

var (
	grounds    = set("background backgrounds base body canvas layout wallpaper backdrop page")
	components = set("component components element elements ui control controls block blocks piece pieces interface button buttons card cards visuals accents text")
	// hexes are values of colours.
	hexes = regexp.MustCompile(`#(?:[0-9a-fA-F]{8}|[0-9a-fA-F]{6}|[0-9a-fA-F]{3,4})\b|\b(?:rgb|hsl)a?\([^)]{3,40}\)`)
)

// A colourAt is a colour with its place among the tokens.
type colourAt struct {
	name string
	at   int
}

// coloursOf are the colours that a sentence names, of one to three words each.
func coloursOf(toks []token) (found []colourAt) {
	for i := 0; i < len(toks); i++ {
		for n := 3; n > 0; n-- {
			if i+n > len(toks) {
				continue
			}
			joined := ""
			for _, t := range toks[i : i+n] {
				joined += strings.ReplaceAll(t.low, "-", "")
			}
			if cssNames[joined] {
				found = append(found, colourAt{textOf(toks[i : i+n]), i})
				i += n - 1
				break
			}
		}
	}
	return found
}

// colourful reports whether a sentence is about the colours of the page's parts and
// nothing else.
func colourful(s sentence) bool {
	return len(demandsOf(s)) > 0 && (len(s.tokens) < 26 || strings.Contains(strings.ToLower(s.text), "color"))
}

// demandsOf are the colours that a sentence gives to the background or to components: of
// two colours the first is the background's, unless components are named before it.
func demandsOf(s sentence) (demands []vitrine.ColorDemand) {
	found := coloursOf(s.tokens)
	for _, value := range hexes.FindAllString(s.text, 4) {
		found = append(found, colourAt{value, len(s.tokens)})
	}
	ground, component := -1, -1
	for i, t := range s.tokens {
		if grounds[t.low] && ground < 0 {
			ground = i
		}
		if components[t.low] && component < 0 {
			component = i
		}
	}
	strict := false
	for _, t := range s.tokens {
		strict = strict || t.low == "background" || t.low == "backgrounds" || t.low == "color" || t.low == "colour" || t.low == "components" || t.low == "component" || t.low == "colors" || t.low == "colours" || t.low == "base"
	}
	strict = strict || len(found) == 2 && ground >= 0 && component >= 0 && len(s.tokens) < 22
	switch {
	case !strict || len(found) == 0:
	case len(found) >= 2 && ground >= 0 && component >= 0:
		parts := [2]string{"background", "components"}
		if component < ground && component < found[0].at && ground > found[0].at && ground > found[1].at-2 {
			parts = [2]string{"components", "background"}
		}
		demands = append(demands, vitrine.ColorDemand{Part: parts[0], Color: found[0].name}, vitrine.ColorDemand{Part: parts[1], Color: found[1].name})
	case ground >= 0 && (component < 0 || ground < component || near(ground, found[0].at) <= near(component, found[0].at)):
		demands = append(demands, vitrine.ColorDemand{Part: "background", Color: found[0].name})
	case component >= 0:
		demands = append(demands, vitrine.ColorDemand{Part: "components", Color: found[0].name})
	}
	return demands
}

func near(a, b int) int {
	if a > b {
		return a - b
	}
	return b - a
}
