package tlc

import (
	"fmt"
	"strings"
	"testing"
)

// said is one message as TLC prints it for a tool.
func said(code, severity int, text string) string {
	return fmt.Sprintf("@!@!@STARTMSG %d:%d @!@!@\n%s\n@!@!@ENDMSG %d @!@!@\n", code, severity, text, code)
}

// TestParser_Distrusts: a run is good only if TLC says so, and nothing that it says or leaves speaks against
// it. TLC itself prints some of these seldom, or never together: each condition is tried alone.
func TestParser_Distrusts(t *testing.T) {
	stats := func(distinct, left int) string {
		return said(codeStats, 0, fmt.Sprintf("9 states generated, %d distinct states found, %d states left "+
			"on queue.", distinct, left))
	}
	ends := "@!@!@ENDMSG 2193 @!@!@\n"
	odd := func(severity int) string { return said(9999, severity, "odd") }
	violated := said(codeInvariantBehavior, severityError, "Invariant I2Small is violated.") +
		said(2121, severityError, "The behavior up to this point is:")
	around := func(code, severity int, inner string) string {
		return said(code, severity, "odd:\n"+strings.TrimSuffix(inner, "\n"))
	}
	success := said(codeSuccess, 0, "Model checking completed. No error has been found.")
	for name, c := range map[string]struct {
		out    string
		status int
		want   Outcome
	}{
		"as it should be":      {success + stats(6, 0), 0, OK},
		"another exit status":  {success + stats(6, 0), 12, Failed},
		"states are left":      {success + stats(6, 2), 0, Failed},
		"there are no states":  {success + stats(0, 0), 0, Failed},
		"nothing is counted":   {success, 0, Failed},
		"it does not say so":   {stats(6, 0), 0, Failed},
		"it says so too early": {strings.TrimSuffix(success, ends) + stats(6, 0), 0, Failed},
		"an error beside it":   {odd(severityError) + success + stats(6, 0), 0, Failed},
		"a bug beside it":      {odd(severityBug) + success + stats(6, 0), 0, Failed},
		"a warning beside it":  {odd(severityWarning) + success + stats(6, 0), 0, OK},
		"liveness by symmetry": {said(codeLivenessUnderSymmetry, severityWarning, "odd") + success +
			stats(6, 0), 0, Failed},
		"a deadlock beside it": {said(codeDeadlock, severityError, "Deadlock reached.") + success +
			stats(6, 0), 0, Deadlock},
		"a property beside it": {said(codeTemporalProperty, severityError, "Temporal properties were "+
			"violated.") + success + stats(6, 0), 0, Liveness},
		"a violation":                    {violated + stats(6, 2), 12, Invariant},
		"an error before a violation":    {odd(severityError) + violated + stats(6, 2), 12, Failed},
		"an error behind a violation":    {violated + odd(severityError) + stats(6, 2), 12, Failed},
		"a bug behind a violation":       {violated + odd(severityBug) + stats(6, 2), 12, Failed},
		"an error behind two violations": {violated + violated + odd(severityError) + stats(6, 2), 0, Failed},
		"a warning behind a violation":   {violated + odd(severityWarning) + stats(6, 2), 12, Invariant},
		"an error within a violation": {around(codeInvariantBehavior, severityError, odd(severityError)) +
			stats(6, 2), 12, Failed},
		"an error within a state": {violated + around(codeState, 4, odd(severityError)) + stats(6, 2), 12,
			Failed},
		"an error two deep": {violated + around(codeState, 4, around(codeStatePlain, 0,
			odd(severityBug))) + stats(6, 2), 12, Failed},
		"a violation within": {around(codeStatePlain, 0, violated) + success + stats(6, 0), 0, Invariant},
	} {
		p := &parser{}
		if _, err := p.Write([]byte(c.out)); err != nil {
			t.Fatal(err)
		}
		p.close()
		if r := p.result(c.status); r.Outcome != c.want {
			t.Errorf("%s: %s, want %s: %s", name, r.Outcome, c.want, r.Message)
		}
	}
}
