package plots

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// headRows is how many rows a model is shown of a table.
const headRows = 5

// head describes a table as the descriptor head does: its size, the name and type of each
// column, and its first rows. A table that cannot be read is shown by its first lines.
func head(table string) string {
	r := csv.NewReader(strings.NewReader(table))
	r.FieldsPerRecord, r.LazyQuotes = -1, true
	rows, err := r.ReadAll()
	if err != nil || len(rows) == 0 {
		lines := strings.SplitN(table, "\n", headRows+2)
		return "Its first lines:\n" + strings.Join(lines[:min(headRows+1, len(lines))], "\n")
	}
	names, rows := rows[0], rows[1:]
	var b strings.Builder
	fmt.Fprintf(&b, "It has %d columns and %d rows. Columns with their types:", len(names), len(rows))
	for i, name := range names {
		fmt.Fprintf(&b, " %s (%s)", name, typeOf(rows, i))
		if i < len(names)-1 {
			b.WriteByte(',')
		}
	}
	b.WriteString("\nIts first rows:\n")
	for _, row := range rows[:min(headRows, len(rows))] {
		line, _ := json.Marshal(row) // strings
		b.Write(line)
		b.WriteByte('\n')
	}
	return b.String()
}

// typeOf is the type that pandas gives a column: int64, float64, bool or object.
func typeOf(rows [][]string, column int) string {
	whole, number, truth, empty := true, true, true, true
	for _, row := range rows {
		if column >= len(row) || row[column] == "" {
			whole, truth = false, false
			continue
		}
		empty = false
		v := strings.TrimSpace(row[column])
		_, err := strconv.ParseInt(v, 10, 64)
		whole = whole && err == nil
		_, err = strconv.ParseFloat(v, 64)
		number = number && err == nil
		truth = truth && (v == "True" || v == "False")
	}
	switch {
	case empty:
		return "float64" // nothing but gaps
	case whole:
		return "int64"
	case number:
		return "float64"
	case truth:
		return "bool"
	}
	return "object"
}
