// Package reward turns what the stages found out into one number. It is pure
// arithmetic: a [Recipe] says which [Signals] count, how they are scaled, and
// which gates overrule them. Three published
// recipes ship (WebGen-R1 Eq. 4, AesCoder §4.4,
// ReLook Eq. 3–5); a user copies one and changes it.
//
// # Signals
//
// A signal is a named number that a stage found out. These are all there are:
//
//	signal               range      what it says
//	format.cot           0 or 1     reasoning format s_cot (WebGen-R1 §2.3)
//	format.code          0 or 1     code format s_code, published profile
//	format.code_strict   0 or 1     code format, strict profile
//	html.present         0 or 1     the output holds HTML
//	output.tokens        0 and up   tokens of the whole output
//	hint.pass            0 or 1     HTMLHint has nothing to say against the source
//	build.ok             0 or 1     the site was built
//	render.valid         0 or 1     the render shows a site
//	frames.valid         0 or 1     and so does each frame of its first view
//	measured.appearance  0 to 5     appearance, from the measured judge
//	measured.alignment   0 to 40    does it hold what was asked
//	measured.aesthetics  0 to 30    is it good to look at
//	measured.structure   0 to 30    is it well laid out
//	measured.total       0 to 100   sum of the three
//	measured.content     0 to 1     what filler leaves of the page, a factor
//	check.<id>           0 to 1     score of one check of the measured judge
//	vision.appearance    0 to 5     appearance, from a vision model
//	vision.total         0 to 100   static aesthetics, from a vision model
//	vision.visual        0 to 100   visual score of the temporal frames
//	vision.plot          0 to 100   agreement of a plot with the true one
//	vision.code          0 to 100   the HTML alone, from a model that sees no picture
//	interact.score       0 and up   how many interactions did what they should
//	interact.fsr         0 to 1     share of passed test cases
//	interact.function    0 to 1     share of required behaviours that work, or else of passed test cases
//
// A signal that is not known is absent. It is never read as 0: a part or a gate
// that could change the value then takes its fallback, which the reward records,
// and without one the sample is unjudged.
//
// # How the value comes about
//
//  1. Gates are read from top to bottom. One with a reward decides the whole
//     value. One with only set fixes the named parts; the first to fix a part wins.
//  2. Every other part is read from its signal, else from its fallback, then
//     mapped or scaled, then clipped.
//  3. The parts are added, each times its weight, or multiplied.
package reward
