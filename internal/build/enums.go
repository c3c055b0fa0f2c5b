package build

import "regexp"

// enumMember has a value that is a short literal, or none.
const enumMember = `[A-Za-z_$][\w$]*(?:\s*=\s*(?:'[^'\\\n]{0,80}'|"[^"\\\n]{0,80}"|-?\d{1,15}|1\s*<<\s*\d{1,2}))?\s*`

var (
	enumWord  = regexp.MustCompile(`\benum\b`)
	plainEnum = regexp.MustCompile(`\benum\s+[A-Za-z_$][\w$]*\s*\{\s*(?:` + enumMember + `,\s*)*(?:` + enumMember + `)?\}`)
)

// PlainEnums reports whether a TypeScript source has no enums but those whose values
// are short literals, without comments among them. A parser computes the others: forty
// members that each repeat the one before them twice are a terabyte of text, and a long
// value is put wherever its name stands. A source that only speaks of enums may be
// refused as well.
func PlainEnums(source string) bool {
	return len(enumWord.FindAllStringIndex(source, -1)) == len(plainEnum.FindAllStringIndex(source, -1))
}
