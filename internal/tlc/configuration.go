package tlc

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// RecipesName is the file of a spec folder that has the recipes which several runs are like, by name. A
// folder need not have it.
const RecipesName = "configurations.json"

// part is a piece of a configuration, and the recipe that has put it there.
type part struct {
	name string // of a constant; else the whole piece
	text string // what stands behind the name: " = 1", " <- Operator"
	raw  string // the text before $name and its like are replaced
	from string
}

// configuration is the configuration of a run in its parts.
type configuration struct {
	specification          part
	constants, replaced    []part
	invariants, properties []part
	deadlock               part // "", or FALSE
}

// recipes makes the configurations of a folder's runs.
type recipes struct {
	shared map[string]Recipe
	runs   map[string]Entry
	used   map[string]bool // of the shared ones
}

// loadRecipes reads the recipes of a folder.
func loadRecipes(dir string, entries []Entry) (*recipes, error) {
	b := &recipes{map[string]Recipe{}, map[string]Entry{}, map[string]bool{}}
	path := filepath.Join(dir, RecipesName)
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("recipes of configurations cannot be read: %w", err)
	default:
		if err := members(text, func(name string, raw json.RawMessage) error {
			var r Recipe
			if err := r.UnmarshalJSON(raw); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			b.shared[name] = r
			return nil
		}); err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrManifest, path, err)
		}
		if !json.Valid(bytes.TrimSpace(text)) {
			return nil, fmt.Errorf("%w: %s: there is something behind the object: keep one object",
				ErrManifest, path)
		}
	}
	for _, e := range entries {
		if _, ok := b.shared[e.Name]; ok {
			return nil, fmt.Errorf("%w: %s: a recipe and a run have the name %s: name the recipe otherwise",
				ErrManifest, path, e.Name)
		}
		b.runs[e.Name] = e
	}
	return b, nil
}

// unused are the shared recipes that no run is like.
func (b *recipes) unused() (list []string) {
	for name := range b.shared {
		if !b.used[name] {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// of makes the configuration of a run.
func (b *recipes) of(e Entry) (configuration, error) {
	return b.make(e, e.Config, e.Name, []string{e.Name})
}

// make makes what a recipe has, for the run. The chain are the names from the run to the recipe.
func (b *recipes) make(run Entry, r Recipe, from string, chain []string) (c configuration, err error) {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("recipe %s: "+format, append([]any{from}, args...)...)
	}
	if r.File != "" {
		return c, wrong("the file %s is written by hand, so nothing can be like it", r.File)
	}
	if r.Like != "" {
		other, shared := b.shared[r.Like]
		if e, ok := b.runs[r.Like]; ok {
			other = e.Config
		} else if !shared {
			return c, wrong("like %q, which is neither a recipe of %s nor a run", r.Like, RecipesName)
		}
		if slices.Contains(chain, r.Like) {
			return c, wrong("the recipes go round: %s", strings.Join(append(chain, r.Like), " is like "))
		}
		b.used[r.Like] = b.used[r.Like] || shared
		if c, err = b.make(run, other, r.Like, append(chain, r.Like)); err != nil {
			return c, err
		}
	}
	if err := c.apply(run, r, from); err != nil {
		return c, wrong("%w", err)
	}
	return c, nil
}

// fields are those of a run that a recipe may name, by how it names them.
func (e Entry) fields() map[string]string {
	return map[string]string{"$name": e.Name, "$state": e.State, "$property": e.Property,
		"$temporal": e.Temporal}
}

// filled is a text in which a field of the run stands in place of its name.
func (e Entry) filled(text string) (string, error) {
	if !strings.HasPrefix(text, "$") {
		return text, nil
	}
	value, known := e.fields()[text]
	switch {
	case !known:
		return "", fmt.Errorf("%s is no field of a run: there are $name, $state, $property, $temporal", text)
	case value == "":
		return "", fmt.Errorf("%s: the run has no such field", text)
	}
	return value, nil
}

// name is a name in a recipe of the run.
func (e Entry) name(text string) (string, error) {
	name, err := e.filled(text)
	if err == nil && !reName.MatchString(name) {
		err = fmt.Errorf("%q is no name of TLA+", name)
	}
	return name, err
}

// value is the text of a constant's value in a recipe of the run.
func (e Entry) value(value any) (string, error) {
	if text, ok := value.(string); ok {
		filled, err := e.filled(text)
		if err != nil {
			return "", err
		}
		value = filled
	}
	return valueText(value)
}

// apply changes a configuration by what a recipe says beside what it is like. Whatever it says has to change
// something: what it does not need is an error.
func (c *configuration) apply(run Entry, r Recipe, from string) error {
	for _, name := range r.Drop {
		if err := c.drop(name); err != nil {
			return err
		}
	}
	if r.Specification != "" {
		name, err := run.name(r.Specification)
		if err != nil {
			return fmt.Errorf("specification: %w", err)
		}
		if c.specification.name == name {
			return fmt.Errorf("specification is %s already, by %s: leave it out", name, c.specification.from)
		}
		c.specification = part{name: name, from: from}
	}
	for _, x := range r.Set {
		text, err := run.value(x.Value)
		if err == nil {
			raw, _ := valueText(x.Value)
			err = put(&c.constants, c.replaced, run, part{x.Name, " = " + text, raw, from})
		}
		if err != nil {
			return fmt.Errorf("set %s: %w", x.Name, err)
		}
	}
	for _, x := range r.Replace {
		by, err := run.name(x.By)
		if err == nil {
			err = put(&c.replaced, c.constants, run, part{x.Name, " <- " + by, x.By, from})
		}
		if err != nil {
			return fmt.Errorf("replace %s: %w", x.Name, err)
		}
	}
	if r.Deadlock != nil {
		text := ""
		if !*r.Deadlock {
			text = "FALSE"
		}
		if c.deadlock.name == text {
			return fmt.Errorf("deadlock is %t already: leave it out", *r.Deadlock)
		}
		c.deadlock = part{name: text, from: from}
	}
	return errors.Join(c.check(&c.invariants, run, r.Invariants, from),
		c.check(&c.properties, run, r.Properties, from))
}

// put puts a constant into a list, or in the place of the one that is there.
func put(list *[]part, others []part, run Entry, p part) error {
	named := func(x part) bool { return x.name == p.name }
	if !reName.MatchString(p.name) {
		return fmt.Errorf("%q is no name of TLA+", p.name)
	}
	if i := slices.IndexFunc(others, named); i >= 0 {
		return fmt.Errorf("%s has%s by %s: drop that first", p.name, others[i].text, others[i].from)
	}
	i := slices.IndexFunc(*list, named)
	if i < 0 {
		*list = append(*list, p)
		return nil
	}
	was := (*list)[i]
	if was.raw == p.raw || p.from == run.Name && was.text == p.text {
		return fmt.Errorf("it has%s already, by %s: leave it out", p.text, was.from)
	}
	(*list)[i] = p
	return nil
}

// check adds what is checked to one of the lists.
func (c *configuration) check(list *[]part, run Entry, names []string, from string) error {
	for _, text := range names {
		name, err := run.name(text)
		if err != nil {
			return err
		}
		for _, x := range slices.Concat(c.invariants, c.properties) {
			if x.name == name {
				return fmt.Errorf("%s is checked already, by %s: leave it out", name, x.from)
			}
		}
		*list = append(*list, part{name: name, from: from})
	}
	return nil
}

// drop takes a constant, an invariant or a property out.
func (c *configuration) drop(name string) error {
	dropped := false
	for _, list := range []*[]part{&c.constants, &c.replaced, &c.invariants, &c.properties} {
		n := len(*list)
		*list = slices.DeleteFunc(slices.Clone(*list), func(x part) bool { return x.name == name })
		dropped = dropped || len(*list) < n
	}
	if !dropped {
		return fmt.Errorf("drop %s: there is no such constant, invariant or property to drop", name)
	}
	return nil
}

// lines are those of the configuration's text, with where each comes from.
func (c *configuration) lines() (list []part) {
	section := func(title string, parts ...part) {
		if len(parts) > 0 {
			list = append(list, part{text: title})
		}
		for _, x := range parts {
			list = append(list, part{text: "  " + x.name + x.text, from: x.from})
		}
	}
	if c.specification.name != "" {
		list = append(list, part{text: "SPECIFICATION " + c.specification.name, from: c.specification.from})
	}
	section("CONSTANTS", slices.Concat(c.constants, c.replaced)...)
	section("INVARIANTS", c.invariants...)
	section("PROPERTIES", c.properties...)
	if c.deadlock.name != "" {
		list = append(list, part{text: "CHECK_DEADLOCK " + c.deadlock.name, from: c.deadlock.from})
	}
	return list
}

// text is the configuration as TLC reads it.
func (c *configuration) text() string {
	var b strings.Builder
	for _, line := range c.lines() {
		b.WriteString(line.text + "\n")
	}
	return b.String()
}

// configure makes the configuration of an entry, or reads the one that is written by hand.
func (b *recipes) configure(dir string, e *Entry) error {
	r := e.Config
	if r.File == "" && r.Like == "" && r.Specification == "" && r.Set == nil && r.Replace == nil &&
		r.Invariants == nil && r.Properties == nil {
		return errors.New("config is missing: name a recipe, or say what the configuration has")
	}
	if r.File != "" {
		if r.File != filepath.Base(r.File) || strings.Contains(r.File, `\`) {
			return fmt.Errorf("%q is a path: name a file of the folder itself", r.File)
		}
		text, err := os.ReadFile(filepath.Join(dir, r.File))
		if err != nil {
			return fmt.Errorf("configuration %s is not in the folder", r.File)
		}
		e.text = string(text)
		return nil
	}
	c, err := b.of(*e)
	if err != nil {
		return err
	}
	e.made, e.text = &c, c.text()
	return nil
}

// Configuration is the text of the run's configuration, as TLC gets it.
func (e Entry) Configuration() string { return e.text }

// Explained is the run's configuration for a reader, and can be put into a file for the TLA+ Toolbox. The
// story of the run stands at its head, and after each part the recipe that it comes from. Files are named
// below root.
func (e Entry) Explained(root string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\\* %s, a %s run of the module %s in %s.\n", e.Name, e.Kind, e.Module,
		below(root, e.dir))
	for _, line := range append([]string{e.Note}, e.Story...) {
		if line != "" {
			b.WriteString("\\* " + line + "\n")
		}
	}
	if e.made == nil {
		fmt.Fprintf(&b, "\\* %s is written by hand.\n", e.Config.File)
		return b.String() + e.text
	}
	fmt.Fprintf(&b, "\\* Behind each part is the recipe that it comes from: a run of %s, or one of %s.\n",
		ManifestName, RecipesName)
	widest := 0
	for _, line := range e.made.lines() {
		widest = max(widest, len(line.text))
	}
	for _, line := range e.made.lines() {
		if line.from == "" {
			fmt.Fprintln(&b, line.text)
		} else {
			fmt.Fprintf(&b, "%-*s  \\* %s\n", widest, line.text, cmp.Or(line.from, e.Name))
		}
	}
	return b.String()
}
