package inputs

import (
	"bytes"
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"
)

// A Format is what a file holds.
type Format string

// The formats that are read.
const (
	FormatLines   Format = "JSONL"
	FormatJSON    Format = "JSON"
	FormatCSV     Format = "CSV"
	FormatParquet Format = "Parquet"
	FormatZip     Format = "zip"
	FormatTar     Format = "tar"
	FormatPage    Format = "HTML"
	FormatDrawing Format = "SVG"
	FormatCode    Format = "TSX"
	FormatText    Format = "text"
	formatEmpty   Format = ""
)

// byExtension are the formats that a name promises.
var byExtension = map[string]Format{
	".jsonl": FormatLines, ".ndjson": FormatLines, ".json": FormatJSON, ".csv": FormatCSV, ".tsv": FormatCSV,
	".parquet": FormatParquet, ".pq": FormatParquet, ".zip": FormatZip, ".tar": FormatTar, ".tgz": FormatTar,
	".html": FormatPage, ".htm": FormatPage, ".xhtml": FormatPage, ".svg": FormatDrawing, ".tsx": FormatCode, ".jsx": FormatCode,
}

// promised is the format that a name promises, without what it is packed with.
func promised(name string) Format {
	name = strings.ToLower(name)
	for _, packed := range []string{".gz", ".zst", ".zstd"} {
		name = strings.TrimSuffix(name, packed)
	}
	return byExtension[path.Ext(name)]
}

// foreign are formats that are not read, by their first bytes, each with what to do.
var foreign = []struct{ magic, name, fix string }{
	{"\xfd7zXZ\x00", "an xz file", "unpack it with xz -d"},
	{"BZh", "a bzip2 file", "unpack it with bzip2 -d"},
	{"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it with 7z x and name the folder"},
	{"Rar!\x1a\x07", "a RAR archive", "unpack it and name the folder"},
	{"\x04\x22\x4d\x18", "an lz4 file", "unpack it with lz4 -d"},
	{"\x1f\x9d", "a file of compress", "unpack it with gzip -d"},
	{"ARROW1", "an Arrow file", "write it as Parquet: dataset.to_parquet(…)"},
	{"\xff\xff\xff\xff", "an Arrow stream", "write it as Parquet: dataset.to_parquet(…)"},
	{"SQLite format 3", "a SQLite database", "export the table as CSV: sqlite3 -header -csv FILE 'select …'"},
	{"\x89HDF", "an HDF5 file", "write it as Parquet or JSON lines"},
	{"\x93NUMPY", "a NumPy array", "write it as JSON lines"},
	{"\x80\x02", "a pickle", "write it as JSON lines: a pickle runs code when it is read"},
	{"\x80\x03", "a pickle", "write it as JSON lines: a pickle runs code when it is read"},
	{"\x80\x04", "a pickle", "write it as JSON lines: a pickle runs code when it is read"},
	{"\x80\x05", "a pickle", "write it as JSON lines: a pickle runs code when it is read"},
	{"%PDF-", "a PDF", "name the page that it was printed from"},
	{"\x89PNG", "a picture", "name the page that it shows; vitrine judge calibrate reads pictures"},
	{"\xff\xd8\xff", "a picture", "name the page that it shows; vitrine judge calibrate reads pictures"},
	{"GIF8", "a picture", "name the page that it shows"},
	{"RIFF", "a picture or a sound", "name the page that it shows"},
	{"Obj\x01", "an Avro file", "write it as Parquet or JSON lines"},
	{"\xd0\xcf\x11\xe0", "an Office document", "save the table as CSV"},
	{"\x7fELF", "a program", "name a file of outputs"},
	{"\x1f\x8b", "a gzip file in a packed file", "unpack it once"},
	{"\x28\xb5\x2f\xfd", "a zstd file in a packed file", "unpack it once"},
}

// markup begins a page or a part of one.
var markup = regexp.MustCompile(`(?i)^(<!doctype html|<\?xml|<!--|` +
	`<(html|head|body|svg|main|div|section|article|header|style|script|title|meta)[\s>])`)

// answerMark is in a text that looks like what a model writes.
var answerMark = regexp.MustCompile("(?im)^\\s*(```|~~~)|<(think|answer|webArtifact|boltArtifact)\\b|<!doctype html|<html[\\s>]|<svg[\\s>]")

// sniff finds the format of what begins with head; whole says that there is no more.
// Content comes before the name: a page that is called .txt is a page.
func sniff(name string, head []byte, whole bool, m Mapping) (Format, error) {
	switch {
	case bytes.HasPrefix(head, []byte("PAR1")):
		return FormatParquet, nil
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")), bytes.HasPrefix(head, []byte("PK\x07\x08")):
		if promised(name) != FormatZip && bytes.Contains(head, []byte("[Content_Types].xml")) {
			return "", refuse(name+" is an Office document", "save the table as CSV")
		}
		return FormatZip, nil
	case len(head) > 262 && string(head[257:262]) == "ustar":
		return FormatTar, nil
	}
	for _, f := range foreign {
		if bytes.HasPrefix(head, []byte(f.magic)) {
			return "", refuse(name+" is "+f.name, f.fix)
		}
	}
	text := bytes.TrimLeft(head, " \t\r\n\f\v\x00")
	if len(text) == 0 && whole {
		return formatEmpty, nil
	}
	return sniffText(name, text, m), nil
}

func sniffText(name string, text []byte, m Mapping) Format {
	by := promised(name)
	if slices.Contains([]Format{FormatPage, FormatDrawing, FormatCode}, by) && !looksJSON(text) {
		return by
	}
	switch {
	case len(text) > 0 && text[0] == '[' && (by != FormatLines || !severalRows(text)):
		return FormatJSON
	case len(text) > 0 && (text[0] == '{' || text[0] == '['):
		return sniffObject(text)
	case by == FormatCSV || by == FormatLines || by == FormatJSON:
		return by
	case isTable(text, m) && !markup.Match(text):
		return FormatCSV
	}
	return FormatText
}

// looksJSON reports whether a text that is called a page is a row after all.
func looksJSON(text []byte) bool {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return len(text) > 0 && (text[0] == '{' || text[0] == '[') && json.Valid(line)
}

// sniffObject tells lines of objects from objects that are spread over lines.
func sniffObject(text []byte) Format {
	line, rest, more := bytes.Cut(text, []byte("\n"))
	rest = bytes.TrimLeft(rest, " \t\r\n")
	switch {
	case !more, json.Valid(line), len(rest) > 0 && (rest[0] == '{' || rest[0] == '['):
		return FormatLines
	}
	return FormatJSON
}

// severalRows reports whether the first line is a whole value with more below it.
func severalRows(text []byte) bool {
	line, rest, _ := bytes.Cut(text, []byte("\n"))
	return json.Valid(line) && len(bytes.TrimSpace(rest)) > 0
}

// isTable reports whether the first line names columns, one of which is known.
func isTable(text []byte, m Mapping) bool {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	columns := strings.FieldsFunc(string(line), func(r rune) bool { return r == ',' || r == ';' || r == '\t' })
	for i, c := range columns {
		columns[i] = strings.Trim(strings.TrimSpace(c), `"`)
	}
	known := func(c string) bool {
		return slices.Contains(outputNames, c) || m[fieldOutput] != "" && c == m[fieldOutput]
	}
	return len(columns) > 1 && slices.ContainsFunc(columns, known) || len(columns) == 1 && m[fieldOutput] != "" && known(columns[0])
}
