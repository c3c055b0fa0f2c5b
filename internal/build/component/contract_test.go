package component

import (
	"testing"

	"vitrine"
	"vitrine/internal/build/buildtest"
)

func TestContract(t *testing.T) {
	t.Parallel()
	buildtest.Contract(t, Builder{}, buildtest.Inputs{
		Good:   artifact(`export default () => <h1 className="text-xl">Good</h1>`),
		Broken: artifact(`export default () => <h1>`),
		Hostile: func(secret, target string) []*vitrine.Artifact {
			a := artifact(`import text from '../../../../../../..` + secret + `'; export default () => <h1>{text}</h1>`)
			a.Files = append(a.Files, vitrine.File{Path: target, Content: "escaped"})
			return []*vitrine.Artifact{a}
		},
	})
}
