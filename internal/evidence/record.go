// Package evidence keeps what each link of the chain found out about each operation state.
//
// A Record is one verdict, with the bound under which it holds and the hash of the files that were judged.
// If one of those files changes, the record is stale, which is not green. Records contain no times, so
// judging the same files twice gives the same bytes.
package evidence

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/samecycle/samecycle/internal/catalog"
)

// Status is the state of one cell of the matrix.
type Status string

const (
	Pass     Status = "pass"      // judged, and correct within the bound
	Fail     Status = "fail"      // judged, and not correct
	Unknown  Status = "unknown"   // there is no verdict: time ran out, or the record is unreadable
	NotRun   Status = "not-run"   // could be judged, but was not: a tool is missing, or the link was not run
	NotBuilt Status = "not-built" // the link does not cover the state yet
	Stale    Status = "stale"     // judged, but with other files than the present ones
)

// Statuses returns all statuses.
func Statuses() []Status { return []Status{Pass, Fail, Unknown, NotRun, NotBuilt, Stale} }

// Red reports whether the status alone makes a check fail. NotBuilt is neutral.
func (s Status) Red() bool { return s != Pass && s != NotBuilt }

// recordable reports whether a record may have the status. The other statuses follow from the absence of a
// record, or from its age.
func (s Status) recordable() bool { return s == Pass || s == Fail || s == Unknown || s == NotRun }

// Record is the verdict of one link on one state.
type Record struct {
	Engine  string            `json:"engine"`           // its name in the catalog
	Link    string            `json:"link"`             // of the catalog
	State   string            `json:"state"`            // full identifier of the catalog
	Status  Status            `json:"status"`           // pass, fail, unknown or not-run
	Figure  float64           `json:"figure"`           // amount that was judged; above zero for a pass
	Unit    string            `json:"unit"`             // of Figure, plural: "distinct states"
	Bound   string            `json:"bound"`            // in words; says so when it is not complete
	Command string            `json:"command"`          // one command that judges the cell again
	Seed    uint64            `json:"seed"`             // of the random choices; 0 when there are none
	Tools   map[string]string `json:"tools"`            // name to version: go, java, tlc, porcupine
	Commit  string            `json:"commit"`           // see CommitOf; Save fills it in
	Inputs  Basis             `json:"inputs"`           // what the verdict depends on
	Detail  []string          `json:"detail"`           // further facts besides the figure
	Replay  string            `json:"replay,omitempty"` // token that shows the failure again
	Page    string            `json:"page,omitempty"`   // page of the failure, below the repository's root
}

var (
	// ErrRecord is wrapped by every complaint about a record's content.
	ErrRecord = errors.New("record is refused")
	// ErrNoRecord says that a link has not judged a state yet.
	ErrNoRecord = errors.New("record does not exist")
)

// Validate returns all complaints about the record's content, joined, or nil.
func (r *Record) Validate() error {
	var all []error
	no := func(format string, args ...any) {
		all = append(all, fmt.Errorf("%w: %s/%s/%s: %s", ErrRecord, r.Engine, r.Link, r.State,
			fmt.Sprintf(format, args...)))
	}
	if _, ok := catalog.LinkByID(r.Link); !ok {
		no("link %q is not in the catalog", r.Link)
	}
	if !reEngine.MatchString(r.Engine) {
		no("engine %q is no name of an engine", r.Engine)
	}
	if !catalog.IsStateID(r.State) {
		no("state %q is no identifier of a state", r.State)
	}
	if !r.Status.recordable() {
		no("status %q cannot be recorded", r.Status)
	}
	if math.IsNaN(r.Figure) || math.IsInf(r.Figure, 0) || r.Figure < 0 {
		no("figure %v is no count", r.Figure)
	}
	if r.Status == Pass {
		if r.Figure == 0 {
			no("a pass without a figure shows nothing")
		}
		if r.Unit == "" || r.Bound == "" || r.Command == "" {
			no("a pass must name its unit, its bound and its command")
		}
		if r.Replay != "" || r.Page != "" {
			no("a pass has nothing to replay and no page")
		}
	}
	if r.Status != Pass && len(r.Detail) == 0 {
		no("%s needs a reason in detail", r.Status)
	}
	if r.Inputs.Shared == "" && len(r.Inputs.Own) == 0 || len(r.Inputs.SHA256) != 64 {
		no("what it rests on is not named with its hash")
	}
	if !rePlatform.MatchString(r.Inputs.Platform) {
		no("the platform %q is none; as linux/amd64 it is a system and a processor", r.Inputs.Platform)
	}
	if r.Inputs.Shared != "" && !reShared.MatchString(r.Inputs.Shared) {
		no("the shared list %q is no name of one", r.Inputs.Shared)
	}
	return errors.Join(all...)
}

// reEngine is the form of the name of an engine, which is the name of a folder.
var reEngine = regexp.MustCompile(`^[a-z][a-z0-9]*$`)

// rePlatform is the form of the name of a platform, which is passed to Go.
var rePlatform = regexp.MustCompile(`^[a-z0-9]+/[a-z0-9]+$`)

// Dir returns the folder of an engine's records below the repository's root.
func Dir(root, engine string) string { return filepath.Join(root, "results", engine, "records") }

// Path returns the file of the record of an engine, a link and a state.
func Path(root, engine, link, state string) string {
	return filepath.Join(Dir(root, engine), link, state+".json")
}

// Encode returns the bytes of the record's file: indented JSON in the order of the fields.
func (r *Record) Encode() ([]byte, error) {
	c := *r
	if c.Tools == nil {
		c.Tools = map[string]string{}
	}
	c.Detail = append([]string{}, c.Detail...)
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(c); err != nil {
		return nil, fmt.Errorf("record %s/%s/%s: %w", r.Engine, r.Link, r.State, err)
	}
	return buf.Bytes(), nil
}

// Save validates the record, fills in the commit, and writes its file atomically: a reader sees the old
// record or the new one.
func (r *Record) Save(root string) error {
	if err := r.Validate(); err != nil {
		return err
	}
	r.Commit = CommitOf(root, r.Inputs.files())
	if err := r.Inputs.save(root, r.Engine, r.Link); err != nil {
		return err
	}
	text, err := r.Encode()
	if err != nil {
		return err
	}
	return WriteFile(Path(root, r.Engine, r.Link, r.State), text)
}

// WriteFile writes a file of results so that an interruption leaves the old file or the new one. It makes
// the folder if there is none. Of a symbolic link it writes the target.
func WriteFile(path string, text []byte) error {
	tmp, target, err := beside(path)
	if err != nil {
		return notWritten(path, err)
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(text)
	err = errors.Join(err, tmp.Chmod(0o644), tmp.Sync(), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), target)
	}
	if err != nil {
		return notWritten(path, err)
	}
	return nil
}

// beside makes a file in the folder of the target of the path, and the folder if there is none.
func beside(path string) (tmp *os.File, target string, err error) {
	if target, err = Target(path); err != nil {
		return nil, "", err
	}
	dir := filepath.Dir(target)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, "", err
	}
	tmp, err = os.CreateTemp(dir, ".record-")
	return tmp, target, err
}

// Writable reports, before the work, whether WriteFile will be able to write the file after it. The error is
// that of WriteFile. An existing path that is not a regular file, such as a pipe or a device, is refused,
// because WriteFile would replace it by a file. Writable makes the folder if there is none, and does not
// change the file.
func Writable(path string) error {
	switch info, err := os.Stat(path); {
	case err == nil && info.IsDir():
		return fmt.Errorf("%s cannot be written: it is a folder; name a file in it", path)
	case err == nil && !info.Mode().IsRegular():
		return fmt.Errorf("%s cannot be written: it is no regular file; name another one", path)
	}
	tmp, _, err := beside(path)
	if err != nil {
		return notWritten(path, err)
	}
	if err := errors.Join(tmp.Close(), os.Remove(tmp.Name())); err != nil {
		return notWritten(path, err)
	}
	return nil
}

func notWritten(path string, err error) error {
	return fmt.Errorf("%s cannot be written: %w; free space, or make its folder writable", path, err)
}

// Load reads and validates the record of an engine, a link and a state. The error wraps ErrNoRecord if there
// is no file. Any other error means that the file is not a valid record, and says how to judge the cell
// again.
func Load(root, engine, link, state string) (Record, error) {
	r, err := load(root, engine, link, state)
	if err != nil && !errors.Is(err, ErrNoRecord) {
		err = fmt.Errorf("%w; run: samecycle check --link %s --state %.3s", err, link, state)
	}
	return r, err
}

func load(root, engine, link, state string) (Record, error) {
	var r Record
	text, err := os.ReadFile(Path(root, engine, link, state))
	if errors.Is(err, os.ErrNotExist) {
		return r, fmt.Errorf("%w: %s/%s/%s", ErrNoRecord, engine, link, state)
	}
	if err != nil {
		return r, fmt.Errorf("record cannot be read: %w", err)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&r); err != nil {
		return r, fmt.Errorf("%w: %s/%s/%s: %w", ErrRecord, engine, link, state, err)
	}
	if dec.More() {
		return r, fmt.Errorf("%w: %s/%s/%s: there is text after the record", ErrRecord, engine, link, state)
	}
	if r.Engine != engine || r.Link != link || r.State != state {
		return r, fmt.Errorf("%w: the file of %s/%s/%s holds a record of %s/%s/%s",
			ErrRecord, engine, link, state, r.Engine, r.Link, r.State)
	}
	return r, r.Validate()
}

// oneLine makes a text fit for a cell's reason.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
