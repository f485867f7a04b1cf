package time

import "time"

// The types of the original.
type (
	// Duration is a time span in nanoseconds.
	Duration = time.Duration
	// Location is a time zone.
	Location = time.Location
	// Month is a month, January is 1.
	Month = time.Month
	// ParseError says why a text is not a time.
	ParseError = time.ParseError
	// Time is an instant.
	Time = time.Time
	// Weekday is a day of the week, Sunday is 0.
	Weekday = time.Weekday
)

// The layouts of the original.
const (
	Layout      = time.Layout
	ANSIC       = time.ANSIC
	UnixDate    = time.UnixDate
	RubyDate    = time.RubyDate
	RFC822      = time.RFC822
	RFC822Z     = time.RFC822Z
	RFC850      = time.RFC850
	RFC1123     = time.RFC1123
	RFC1123Z    = time.RFC1123Z
	RFC3339     = time.RFC3339
	RFC3339Nano = time.RFC3339Nano
	Kitchen     = time.Kitchen
	Stamp       = time.Stamp
	StampMilli  = time.StampMilli
	StampMicro  = time.StampMicro
	StampNano   = time.StampNano
	DateTime    = time.DateTime
	DateOnly    = time.DateOnly
	TimeOnly    = time.TimeOnly
)

// The units, months and days of the original.
const (
	Nanosecond  = time.Nanosecond
	Microsecond = time.Microsecond
	Millisecond = time.Millisecond
	Second      = time.Second
	Minute      = time.Minute
	Hour        = time.Hour

	January   = time.January
	February  = time.February
	March     = time.March
	April     = time.April
	May       = time.May
	June      = time.June
	July      = time.July
	August    = time.August
	September = time.September
	October   = time.October
	November  = time.November
	December  = time.December

	Sunday    = time.Sunday
	Monday    = time.Monday
	Tuesday   = time.Tuesday
	Wednesday = time.Wednesday
	Thursday  = time.Thursday
	Friday    = time.Friday
	Saturday  = time.Saturday
)

// The locations of the original. An assignment to Local has no effect on it.
var (
	Local = time.Local
	UTC   = time.UTC
)

// ParseDuration does what the original does.
func ParseDuration(s string) (Duration, error) { return time.ParseDuration(s) }

// FixedZone does what the original does.
func FixedZone(name string, offset int) *Location { return time.FixedZone(name, offset) }

// LoadLocation does what the original does.
func LoadLocation(name string) (*Location, error) { return time.LoadLocation(name) }

// LoadLocationFromTZData does what the original does.
func LoadLocationFromTZData(name string, data []byte) (*Location, error) {
	return time.LoadLocationFromTZData(name, data)
}

// Date does what the original does.
var Date = time.Date

// Parse does what the original does.
func Parse(layout, value string) (Time, error) { return time.Parse(layout, value) }

// ParseInLocation does what the original does.
func ParseInLocation(layout, value string, loc *Location) (Time, error) {
	return time.ParseInLocation(layout, value, loc)
}

// Unix does what the original does.
func Unix(sec int64, nsec int64) Time { return time.Unix(sec, nsec) }

// UnixMicro does what the original does.
func UnixMicro(usec int64) Time { return time.UnixMicro(usec) }

// UnixMilli does what the original does.
func UnixMilli(msec int64) Time { return time.UnixMilli(msec) }
