package near

// A Tree is an ordered tree of names.
type Tree struct {
	Name     string
	Children []*Tree
}

// MaxTree is how many nodes a tree may have that is compared: the time goes with the
// square of it, and for deep trees with more.
const MaxTree = 200

// A Shape is a tree made ready to be compared: its nodes in postorder.
type Shape struct {
	names []string
	left  []int // of each node, the leftmost leaf below it
	roots []int // nodes whose leftmost leaf no node above them has
	count map[string]int
}

// NewShape is the shape of a tree; nil for one of more than [MaxTree] nodes.
func NewShape(t *Tree) *Shape {
	s := &Shape{count: map[string]int{}}
	if !s.add(t) {
		return nil
	}
	last := map[int]int{}
	for i, l := range s.left {
		last[l] = i
	}
	for i, l := range s.left {
		if last[l] == i {
			s.roots = append(s.roots, i)
		}
	}
	return s
}

func (s *Shape) add(t *Tree) bool {
	left := -1
	for _, c := range t.Children {
		if !s.add(c) {
			return false
		}
		if left < 0 {
			left = s.left[len(s.left)-1]
		}
	}
	if len(s.names) == MaxTree {
		return false
	}
	if left < 0 {
		left = len(s.names)
	}
	s.names, s.left = append(s.names, t.Name), append(s.left, left)
	s.count[t.Name]++
	return true
}

// Alike is how alike two trees are, from 0 to 1: one less the edit distance (Zhang and
// Shasha, with costs of 1) over the nodes of the larger tree. Where it is below t for
// certain, 0 is given without working it out.
func (s *Shape) Alike(o *Shape, t float64) float64 {
	larger := max(len(s.names), len(o.names))
	common := 0
	for name, n := range s.count {
		common += min(n, o.count[name])
	}
	if float64(common) < t*float64(larger)-1e-9 { // a distance is at least larger − common
		return 0
	}
	return 1 - float64(s.distance(o))/float64(larger)
}

// distance is the edit distance of two ordered trees.
func (s *Shape) distance(o *Shape) int {
	n, m := len(s.names), len(o.names)
	trees, forest := grid(n, m), grid(n+1, m+1)
	for _, i := range s.roots {
		for _, j := range o.roots {
			s.forests(o, i, j, trees, forest)
		}
	}
	return trees[n-1][m-1]
}

func grid(n, m int) [][]int {
	cells, rows := make([]int, n*m), make([][]int, n)
	for i := range rows {
		rows[i] = cells[i*m : (i+1)*m]
	}
	return rows
}

// forests fills in the distances of all trees that begin at the leftmost leaves of i and j.
func (s *Shape) forests(o *Shape, i, j int, trees, f [][]int) {
	li, lj := s.left[i], o.left[j]
	f[0][0] = 0
	for a := li; a <= i; a++ {
		f[a-li+1][0] = f[a-li][0] + 1
	}
	for b := lj; b <= j; b++ {
		f[0][b-lj+1] = f[0][b-lj] + 1
	}
	for a := li; a <= i; a++ {
		for b := lj; b <= j; b++ {
			x, y := a-li+1, b-lj+1
			best := min(f[x-1][y], f[x][y-1]) + 1
			if s.left[a] == li && o.left[b] == lj {
				rename := 0
				if s.names[a] != o.names[b] {
					rename = 1
				}
				f[x][y] = min(best, f[x-1][y-1]+rename)
				trees[a][b] = f[x][y]
				continue
			}
			f[x][y] = min(best, f[s.left[a]-li][o.left[b]-lj]+trees[a][b])
		}
	}
}
