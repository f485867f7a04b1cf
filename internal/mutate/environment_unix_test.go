//go:build unix

package mutate

import (
	"path/filepath"
	"testing"
	"time"
)

// TestTry_TheMachineIsNoVerdict: a judge that ends for want of memory, threads or space has not seen the
// mutant.
func TestTry_TheMachineIsNoVerdict(t *testing.T) {
	for name, script := range map[string]string{
		"memory":  "echo 'fatal error: runtime: out of memory' >&2\nexit 2\n",
		"threads": "echo 'fatal error: newosproc' >&2\nexit 2\n",
		"space":   "echo '--- FAIL: TestA (0.00s)'\necho 'open /x: no space left on device'\nexit 1\n",
	} {
		folder := t.TempDir()
		scripts(t, folder, map[string]string{"tests": script, "judge": script})
		b := &bench{overlay: overlay{folder: folder}, p: &Package{Dir: filepath.Dir(folder)}}
		for _, s := range []stage{{limit: time.Minute}, {search: &Search{}, limit: time.Minute}} {
			if f, err := b.try(t.Context(), s, subject{}); err != nil || f.Verdict.Noticed() {
				t.Errorf("%s, %s: %s by %q, %v", name, s, f.Verdict, f.Judge, err)
			}
		}
	}
}

// TestTry_AFullDiskOfATestIsOne: what a test of the engine tells of a disk that it has filled itself.
func TestTry_AFullDiskOfATestIsOne(t *testing.T) {
	folder := t.TempDir()
	scripts(t, folder, map[string]string{"tests": "echo '--- FAIL: TestA (0.00s)'\n" +
		"echo 'region /x/table: reserve space: system call failed: no space left on device'\nexit 1\n"})
	b := &bench{overlay: overlay{folder: folder}, p: &Package{Dir: filepath.Dir(folder)}}
	if f, err := b.try(t.Context(), stage{limit: time.Minute}, subject{}); err != nil || f.Verdict != Killed {
		t.Errorf("%s by %q, %v", f.Verdict, f.Judge, err)
	}
}
