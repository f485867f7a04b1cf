package driver

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// plainDepth bounds the depth of printed results.
const plainDepth = 4

// plain prints the results of a call so that equal data has equal text in every execution. Pointers are
// printed as nil or not nil, unless they point to a number, a text, a boolean, or a structure or array of
// these that has only exported fields. Maps are printed in order. It calls only the method Error of what it
// prints.
func plain(results []any) string {
	return cmp.Or(plainList(results), "done")
}

func plainList(values []any) string {
	var all []string
	for _, v := range values {
		if h, ok := v.(*Heard); ok {
			if text := h.text(); text != "" {
				all = append(all, text)
			}
			continue
		}
		all = append(all, plainValue(reflect.ValueOf(v), plainDepth))
	}
	return strings.Join(all, ", ")
}

func plainValue(v reflect.Value, depth int) string {
	if !v.IsValid() {
		return "nil"
	}
	if v.CanInterface() {
		if err, ok := v.Interface().(error); ok && !(v.Kind() == reflect.Pointer && v.IsNil()) {
			return "error " + strconv.Quote(err.Error())
		}
	}
	switch v.Kind() {
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return strconv.FormatUint(v.Uint(), 10)
	case reflect.Float32, reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case reflect.Complex64, reflect.Complex128:
		return strconv.FormatComplex(v.Complex(), 'g', -1, 128)
	case reflect.String:
		return strconv.Quote(v.String())
	}
	if depth == 0 {
		return "..."
	}
	return plainComposite(v, depth-1)
}

func plainComposite(v reflect.Value, depth int) string {
	var parts []string
	switch v.Kind() {
	case reflect.Interface:
		return plainValue(v.Elem(), depth+1)
	case reflect.Array, reflect.Slice:
		if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
			return "bytes " + strconv.Quote(string(v.Bytes()))
		}
		for i := range v.Len() {
			parts = append(parts, plainValue(v.Index(i), depth))
		}
		return "[" + strings.Join(parts, " ") + "]"
	case reflect.Map:
		for _, k := range v.MapKeys() {
			parts = append(parts, plainValue(k, depth)+": "+plainValue(v.MapIndex(k), depth))
		}
		slices.Sort(parts)
		return "{" + strings.Join(parts, ", ") + "}"
	case reflect.Struct:
		for i := range v.NumField() {
			parts = append(parts, v.Type().Field(i).Name+": "+plainValue(v.Field(i), depth))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	if v.IsNil() { // a pointer, function, channel or unsafe pointer
		return "nil"
	}
	if v.Kind() == reflect.Pointer && isData(v.Type().Elem()) {
		return "&" + plainValue(v.Elem(), depth)
	}
	return kindName(v.Kind()) + " that is not nil"
}

// kindName is the name of a kind of references.
func kindName(k reflect.Kind) string {
	if k == reflect.Pointer {
		return "pointer"
	}
	return k.String()
}

// isData reports whether a type is a structure or an array of numbers, texts and booleans, which other
// packages may read.
func isData(t reflect.Type) bool {
	switch k := t.Kind(); {
	case k >= reflect.Bool && k <= reflect.Complex128 || k == reflect.String:
		return true
	case k == reflect.Array:
		return isData(t.Elem())
	case k == reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); !f.IsExported() || !isData(f.Type) {
				return false
			}
		}
		return t.NumField() > 0
	}
	return false
}
