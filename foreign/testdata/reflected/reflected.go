// Package reflected uses channels by package reflect.
package reflected

import "reflect"

// Any receives from one of the channels, and says which. A channel that is closed is left, and -1 is returned
// if none is left.
func Any(channels ...<-chan int) (which, v int) {
	var cases []reflect.SelectCase
	for _, c := range channels {
		cases = append(cases, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(c)})
	}
	for range channels {
		i, v, ok := reflect.Select(cases)
		if ok {
			return i, int(v.Int())
		}
		cases[i].Chan = reflect.Value{}
	}
	return -1, 0
}

// Give sends a value on one of the channels, and says which, or -1 if that would have to wait.
func Give(v int, channels ...chan int) int {
	cases := []reflect.SelectCase{{Dir: reflect.SelectDefault}}
	for _, c := range channels {
		cases = append(cases, reflect.SelectCase{Dir: reflect.SelectSend, Chan: reflect.ValueOf(c),
			Send: reflect.ValueOf(v)})
	}
	i, _, _ := reflect.Select(cases)
	return i - 1
}

// Forward sends what comes from any channel on any other one, and closes that.
func Forward(to, from any) {
	out, in := reflect.ValueOf(to), reflect.ValueOf(from)
	for v, ok := in.Recv(); ok; v, ok = in.Recv() {
		out.Send(v)
	}
	out.Close()
}

// Take receives what is there of any channel.
func Take(from any) (v any, ok bool) {
	in := reflect.ValueOf(from)
	got, ok := in.TryRecv()
	if !ok {
		return in.Len(), false
	}
	return got.Interface(), true
}

// Put sends if there is room.
func Put(to, v any) bool { return reflect.ValueOf(to).TrySend(reflect.ValueOf(v)) }
