package starter

import (
	"os"
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/leak"
	"vitrine/internal/parse"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

const page = "import { Button } from \"antd\";\n\nexport default function Home() {\n  return <Button>Order</Button>;\n}\n"

// An answer that follows the prompt, with one page more than the starter, keeps every rule
// of the code format, the strict ones too.
func TestAnAnswerByThePromptKeepsTheFormat(t *testing.T) {
	t.Parallel()
	files := append(Files(), vitrine.File{Path: "src/pages/Home.tsx", Content: page})
	a := parse.Output(vitrine.Output{Text: "<think>One page.</think>\n<answer>" + Artifact("bakery", "A bakery", files) + "</answer>"})
	if a.Kind != vitrine.KindProject || len(a.Files) != len(files) || a.Title != "A bakery" || !strings.Contains(a.Start, "npm run dev") {
		t.Fatalf("it is read as %s with %d files: %+v", a.Kind, len(a.Files), a)
	}
	if a.Code.Score != 1 || a.CodeStrict.Score != 1 || a.CoT.Score != 1 {
		t.Errorf("code %+v, strictly %+v, reasoning %+v", a.Code, a.CodeStrict, a.CoT)
	}
}

// The prompt names what the strict rules and the parser ask for, and leaves most of a
// context of 4,096 tokens (WebGen-R1 App. C) to the request.
func TestThePromptSaysWhatIsAskedFor(t *testing.T) {
	t.Parallel()
	text := System()
	for _, want := range []string{"<think>", "<answer>", `<webAction type="file" filePath="package.json">`, "src/pages", "npm install", "npm run dev", "antd", "Recharts", "shadcn", "src/index.css",
		"ES modules", "newest stable", "stand-in", "reset.css", "is loading", "narrow screens first", "default", "Comment", "SQLite", "ESLint"} {
		if !strings.Contains(text, want) {
			t.Errorf("the prompt does not speak of %s", want)
		}
	}
	for _, f := range Files() {
		if !strings.Contains(text, "filePath=\""+f.Path+"\">\n"+strings.TrimSpace(f.Content)+"\n</webAction>") {
			t.Errorf("the starter project in the prompt lacks %s", f.Path)
		}
	}
	if tokens := len(text) / 4; tokens < 1000 || tokens > 3300 {
		t.Errorf("the prompt has about %d tokens", tokens)
	}
	if Files()[0].Path != "package.json" {
		t.Errorf("the first file is %s", Files()[0].Path)
	}
}
