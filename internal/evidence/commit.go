package evidence

import (
	"os/exec"
	"runtime/debug"
	"strings"
)

// Values of Record.Commit for files that are not in a commit.
const (
	Uncommitted = "uncommitted" // at least one judged file differs from the last commit
	NoCommit    = "none"        // the repository is not under git, or git is missing
)

// CommitOf returns the abbreviated hash of the last commit that touched one of the files, or Uncommitted, or
// NoCommit. It is only a hint for readers: the hash of the contents decides.
func CommitOf(root string, files []string) string {
	if _, err := git(root, nil, "rev-parse", "--is-inside-work-tree"); err != nil {
		return NoCommit
	}
	changed, err := git(root, files, "status", "--porcelain", "--ignored")
	if err != nil || changed != "" {
		return Uncommitted
	}
	hash, err := git(root, files, "log", "-1", "--abbrev=12", "--format=%h")
	if err != nil || hash == "" {
		return Uncommitted
	}
	return hash
}

func git(root string, files []string, args ...string) (string, error) {
	args = append([]string{"-C", root, "--no-optional-locks"}, args...)
	if len(files) > 0 {
		args = append(append(args, "--"), files...)
	}
	out, err := exec.Command("git", args...).Output()
	return strings.TrimSpace(string(out)), err
}

// ModuleVersion returns the version of a module with which this program was built.
func ModuleVersion(path string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, d := range info.Deps {
		if d.Path == path {
			return d.Version
		}
	}
	return "unknown"
}
