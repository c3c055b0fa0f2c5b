package build

// A Set is an installed set of dependencies, which never changes. It is lent to
// projects whose dependencies resolve to the very same tree, and to no other.
type Set struct {
	Key     string // hash of the tree: of every package, its content and its place
	Modules string // its node_modules
}
