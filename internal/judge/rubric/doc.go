// Package rubric holds rubric trees: what a website must have, as a tree of
// requirements whose leaves can each be met or not (WebDevJudge §3.2, A.2). A tree
// has three dimensions: the intention, what is static, and what is dynamic, which
// is split into basic and complex interactions.
package rubric
