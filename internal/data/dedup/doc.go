// Package dedup takes near duplicates out of data sets, and what is too like the tasks of
// a benchmark (ReLook §3.1, Train-Test De-duplication Protocol). It runs nothing of what
// it reads.
//
// Records are compared in up to five ways, each with its threshold; one is enough:
//
//	exact  the same but for white space
//	text   the cosine of TF-IDF vectors of character 3-grams of the instructions, > 0.85
//	dom    the Jaccard index of tag bigrams of the pages, > 0.90
//	tree   for pages of fewer than ten different bigrams, where one is a tenth: one less
//	       the edit distance of the trees over the nodes of the larger, > 0.90
//	code   the Jaccard index of the tokens of the minified code, > 0.90
//
// Pages that are alike by dom or tree must have half of their code in common as well, which
// the paper does not ask: all pages of one canvas and one script have the same structure.
//
// The first of several stays. Each later one is compared with those that stayed, so that a
// chain of small changes does not take everything.
package dedup
