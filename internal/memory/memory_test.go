package memory

import (
	"os"
	"testing"
)

func TestLimitIsTheLowest(t *testing.T) {
	const none = 1<<63 - 1
	for name, c := range map[string]struct {
		goLimit int64
		files   map[string]string
		want    int64
	}{
		"nothing known":    {none, nil, none},
		"a large machine":  {none, map[string]string{"/proc/meminfo": "MemFree: 1 kB\nMemTotal:       67108864 kB\n"}, 64 << 30},
		"a small machine":  {none, map[string]string{"/proc/meminfo": "MemTotal: 2097152 kB\n"}, 2 << 30},
		"GOMEMLIMIT":       {1 << 30, map[string]string{"/proc/meminfo": "MemTotal: 2097152 kB\n"}, 1 << 30},
		"a control group":  {none, map[string]string{"/proc/self/cgroup": "0::/a/b\n", "/sys/fs/cgroup/a/b/memory.max": "max\n", "/sys/fs/cgroup/a/memory.max": "536870912\n"}, 512 << 20},
		"one of version 1": {none, map[string]string{"/proc/self/cgroup": "3:cpu:/x\n2:memory:/x\n", "/sys/fs/cgroup/memory/x/memory.limit_in_bytes": "536870912\n"}, 512 << 20},
	} {
		got := limit(c.goLimit, func(name string) ([]byte, error) {
			text, ok := c.files[name]
			if !ok {
				return nil, os.ErrNotExist
			}
			return []byte(text), nil
		})
		if got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
