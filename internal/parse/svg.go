package parse

import "strings"

// imageFile is where a drawing goes.
const imageFile = "image.svg"

// fencedSVG takes the first svg block, or the first block of markup that begins
// with a drawing.
func fencedSVG(r *region, n *notes) *draft {
	for _, b := range r.blocks {
		if b.lang != "svg" && !isMarkup(b.lang) {
			continue
		}
		content := strings.TrimSpace(b.content())
		start := svgStart(content)
		if start < 0 || content[0] != '<' || holdsMarkup(content[:start]) {
			continue
		}
		d := &draft{files: []draftFile{{imageFile, content}}}
		if !b.closed {
			n.add("truncated_fence", "the fence of the drawing is never closed")
			if end, ok := svgEnd(content, start); ok {
				d.files[0].content = content[:end]
			}
		}
		return d
	}
	return nil
}

// looseSVG takes a drawing out of a text that has no other element: XML with
// prose around it would not be well formed.
func looseSVG(r *region, n *notes) *draft {
	text := r.loose()
	start := svgStart(text)
	if start < 0 {
		return nil
	}
	end, ok := svgEnd(text, start)
	if holdsMarkup(text[:start]) || holdsMarkup(text[end:]) {
		return nil
	}
	if !ok {
		n.add("truncated_svg", "the drawing is never closed")
	}
	return &draft{files: []draftFile{{imageFile, strings.TrimSpace(text[start:end])}}}
}

// svgStart returns the position of the first <svg tag, or -1.
func svgStart(text string) int {
	for pos := 0; ; {
		i := strings.Index(text[pos:], "<svg")
		if i < 0 {
			return -1
		}
		pos += i + len("<svg")
		if endsName(text, pos) {
			return pos - len("<svg")
		}
	}
}

// svgEnd returns where the drawing that starts at this position ends, its nested
// drawings included; or the end of the text and false.
func svgEnd(text string, start int) (end int, ok bool) {
	depth := 0
	for pos := start; ; {
		i := strings.Index(text[pos:], "svg")
		if i < 0 {
			return len(text), false
		}
		pos += i + len("svg")
		before := text[:pos-len("svg")]
		switch {
		case strings.HasSuffix(before, "</"):
			depth--
		case strings.HasSuffix(before, "<") && endsName(text, pos):
			t, tagEnd, _ := readTag(text, pos)
			pos = tagEnd
			if !t.selfClosing {
				depth++
			}
		default:
			continue
		}
		if depth <= 0 {
			return closeAngle(text, pos), true
		}
	}
}

// closeAngle moves behind the > of a tag that is over but for white space.
func closeAngle(text string, pos int) int {
	if end := skipSpace(text, pos); end < len(text) && text[end] == '>' {
		return end + 1
	}
	return pos
}
