package measured

// panel is every check in the order of a report. Adding one is a line here.
//
// weight is the share in the mean of the dimension: what a check can earn.
// severity is what it can destroy: checks that most pages pass have a small
// weight, since passing them is no merit, and a large severity.
var panel = []check{
	{id: "blank", dimension: structure, weight: 0.5, severity: 0.9, onInvalid: true, judge: blank},
	{id: "error-overlay", dimension: structure, weight: 0.5, severity: 0.9, onInvalid: true, judge: errorOverlay},

	{id: "requested-features", dimension: alignment, weight: 4, judge: requestedFeatures},
	{id: "requested-colors", dimension: alignment, weight: 3, judge: requestedColors},
	{id: "instruction-words", dimension: alignment, weight: 3, judge: instructionWords},

	{id: "contrast", dimension: aesthetics, weight: 0.5, severity: 0.6, judge: contrast},
	{id: "text-size", dimension: aesthetics, weight: 0.25, severity: 0.4, judge: textSize},
	{id: "line-length", dimension: aesthetics, weight: 0.75, severity: 0.15, judge: lineLength},
	{id: "type-scale", dimension: aesthetics, weight: 0.5, severity: 0.1, judge: typeScale},
	{id: "hierarchy", dimension: aesthetics, weight: 0.75, severity: 0.2, judge: hierarchy},
	{id: "palette", dimension: aesthetics, weight: 0.75, severity: 0.2, pictures: true, judge: palette},
	{id: "colorfulness", dimension: aesthetics, weight: 1.5, severity: 0.1, pictures: true, judge: colorfulness},
	{id: "modern-styling", dimension: aesthetics, weight: 4, severity: 0.15, judge: modernStyling},
	{id: "visuals", dimension: aesthetics, weight: 2, judge: visuals},
	{id: "edge-alignment", dimension: aesthetics, weight: 0.5, severity: 0.3, judge: edgeAlignment},
	{id: "spacing", dimension: aesthetics, weight: 0.5, severity: 0.1, judge: spacing},
	{id: "padding", dimension: aesthetics, weight: 0.5, severity: 0.2, judge: padding},
	{id: "white-space", dimension: aesthetics, weight: 0.5, severity: 0.2, pictures: true, judge: whiteSpace},
	{id: "balance", dimension: aesthetics, weight: 0.75, severity: 0.1, pictures: true, judge: balance},
	{id: "page-fill", dimension: aesthetics, weight: 1.5, severity: 0.2, judge: pageFill},
	{id: "composition", dimension: aesthetics, weight: 1.5, judge: composition},
	{id: "broken-images", dimension: aesthetics, weight: 0.5, severity: 0.5, judge: brokenImages},
	{id: "overlap", dimension: aesthetics, weight: 1, severity: 0.6, judge: overlap},
	{id: "clipping", dimension: aesthetics, weight: 0.5, severity: 0.4, judge: clipping},
	{id: "squeezed-text", dimension: aesthetics, weight: 0.5, severity: 0.6, judge: squeezedText},

	{id: "overflow-x", dimension: structure, weight: 1, severity: 0.4, judge: overflowX},
	{id: "leaked-text", dimension: structure, weight: 0.5, severity: 0.4, judge: leakedText},
	{id: "console-errors", dimension: structure, weight: 1, severity: 0.4, judge: consoleErrors},
	{id: "dead-links", dimension: structure, weight: 1, judge: deadLinks},
	{id: "responsive", dimension: structure, weight: 1, severity: 0.1, judge: responsive},
	{id: "tap-targets", dimension: structure, weight: 1, severity: 0.1, judge: tapTargets},
	{id: "headings", dimension: structure, weight: 1, judge: headings},
	{id: "landmarks", dimension: structure, weight: 1, judge: landmarks},
	{id: "form-labels", dimension: structure, weight: 1, judge: formLabels},
	{id: "title-lang", dimension: structure, weight: 0.5, judge: titleLang},
	{id: "axe", dimension: structure, weight: 1.5, severity: 0.1, judge: axe},
	{id: "html-hint", dimension: structure, weight: 0.5, judge: htmlHint},

	{id: "instruction-echo", dimension: content, severity: 0.95, judge: instructionEcho},
	{id: "compressible-text", dimension: content, severity: 0.95, judge: compressibleText},
	{id: "repeated-moulds", dimension: content, severity: 0.95, judge: repeatedMoulds},
	{id: "hidden-text", dimension: content, severity: 0.95, judge: hiddenText},
	{id: "inoperable-controls", dimension: content, severity: 0.95, judge: inoperableControls},
	{id: "filler-text", dimension: content, severity: 0.95, judge: fillerText},
	{id: "sparse", dimension: content, severity: 0.9, judge: sparse},
	{id: "content-colors", dimension: content, severity: 0.5, judge: contentColors},
	{id: "unreachable-routes", dimension: content, severity: 0.4, judge: unreachableRoutes},
	{id: "content-roles", dimension: content, severity: 0.95, judge: contentRoles},
}
