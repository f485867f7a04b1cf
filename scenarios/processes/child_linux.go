package processes

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// look finds the mappings of the region's file that are new. The file is told by its inode: one that
// was made without a name is not listed by the name that it got later.
func (p *player) look() {
	text, err := os.ReadFile("/proc/self/maps")
	var stat syscall.Stat_t
	if err == nil {
		err = syscall.Stat(p.file, &stat)
	}
	if err != nil {
		p.cur.why = fmt.Sprintf("where the region is mapped is not known: %v", err)
		return
	}
	for line := range strings.Lines(string(text)) {
		var from, to uintptr
		fields := strings.Fields(line) // addresses, rights, offset, device, inode, name
		if len(fields) < 5 || fields[4] != strconv.FormatUint(stat.Ino, 10) {
			continue
		}
		if n, _ := fmt.Sscanf(fields[0], "%x-%x", &from, &to); n == 2 {
			p.maps = append([]span{{from, to - from}}, p.maps...)
		}
	}
}
