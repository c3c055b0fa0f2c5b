package verify

import (
	"fmt"
	"strings"
)

// planSchema is the JSON Schema of an answer: a script in the language of package
// script, as far as a schema can say it. The rest is held by reading it.
func planSchema() []byte {
	steps := union(
		one("click", ref("target")), one("double_click", ref("target")), one("right_click", ref("target")), one("hover", ref("target")),
		one("type", object("into", ref("target"), "text", text)), one("clear", ref("target")),
		one("press", union(object("key", text, "times", whole), object("key", text, "times", whole, "in", ref("target")))),
		one("select", object("in", ref("target"), "option", text)),
		one("check", ref("target")), one("uncheck", ref("target")),
		one("drag", union(object("from", ref("target"), "to", ref("target")), object("from", ref("target"), "by", list(`{"type":"number"}`)))),
		one("scroll", union(object("by", `{"type":"number"}`), object("by", `{"type":"number"}`, "in", ref("target")), object("to", ref("target")))),
		one("upload", object("into", ref("target"), "file", text)),
		one("back", yes), one("reload", yes), one("wait", whole),
		one("expect", ref("condition")), one("expect_any", list(ref("condition"))),
	)
	defs := fmt.Sprintf(`"$defs":{"target":%s,"condition":%s,"step":%s}`, targetSchema(), conditionSchema(), steps)
	root := object("reason", text, "route", text, "steps", list(ref("step")))
	return []byte(strings.TrimSuffix(root, "}") + "," + defs + "}")
}

const (
	text  = `{"type":"string"}`
	whole = `{"type":"integer"}`
	yes   = `{"type":"boolean","enum":[true]}`
)

func targetSchema() string {
	return union(
		object("role", text, "name", text, "nth", whole), object("text", text, "nth", whole), object("label", text, "nth", whole),
		object("placeholder", text, "nth", whole), object("css", text, "nth", whole), object("point", list(`{"type":"number"}`)),
	)
}

func conditionSchema() string {
	target := ref("target")
	return union(
		one("text", text), one("no_text", text), one("visible", target), one("hidden", target),
		one("count", union(object("of", target, "is", whole), object("of", target, "at_least", whole), object("of", target, "at_most", whole))),
		one("value", compared("of", target)), one("checked", target), one("unchecked", target), one("enabled", target), one("disabled", target),
		one("focused", target), one("attribute", compared("of", target, "name", text)), one("style", compared("of", target, "property", text)),
		one("url", text), one("dialog", text), one("storage", compared("key", text)),
		one("changed", choice("screen", "text", "dom")), one("scrolled", choice("down", "up")), one("console_error", choice("none")),
	)
}

// compared is an object with is or contains.
func compared(fields ...string) string {
	return union(object(append(fields, "is", text)...), object(append(fields, "contains", text)...))
}

// object has exactly these fields: names, each with its schema.
func object(fields ...string) string {
	var properties, names []string
	for i := 0; i < len(fields); i += 2 {
		properties = append(properties, fmt.Sprintf("%q:%s", fields[i], fields[i+1]))
		names = append(names, fmt.Sprintf("%q", fields[i]))
	}
	return fmt.Sprintf(`{"type":"object","properties":{%s},"required":[%s],"additionalProperties":false}`, strings.Join(properties, ","), strings.Join(names, ","))
}

func one(name, schema string) string { return object(name, schema) }

func union(schemas ...string) string { return `{"anyOf":[` + strings.Join(schemas, ",") + `]}` }

func list(items string) string { return `{"type":"array","items":` + items + `}` }

func ref(name string) string { return `{"$ref":"#/$defs/` + name + `"}` }

func choice(values ...string) string {
	return `{"type":"string","enum":["` + strings.Join(values, `","`) + `"]}`
}
