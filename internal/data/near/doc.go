// Package near finds near duplicates in collections of texts, code and pages, exactly:
// what it finds is what comparing every item with every other finds.
//
//	features   an item → numbered features: character 3-grams, tag bigrams, code tokens
//	Cosine     TF-IDF vectors; candidates by the norms of prefixes (Bayardo, Ma and
//	           Srikant, All Pairs Similarity Search, 2007; Anastasiu and Karypis, L2AP, 2014)
//	Jaccard    sets; candidates by prefixes and sizes (Chaudhuri, Ganti and Kaushik, 2006)
//	Tree       edit distance of ordered trees (Zhang and Shasha, 1989)
//
// Features are numbered by a [Space], the most frequent first, so that the rare ones, of
// which few items have the same, decide who is compared with whom.
package near
