package foreign

import ("testing";"context";"os";"fmt")
func TestTry(t *testing.T){
 for _, s := range []string{"github.com/alphadose/haxmap@v1.4.1","sync.Map"} {
 r, err := Explore(context.Background(), s, Options{Log: os.Stderr})
 fmt.Println(r.Text(), err, r.Prepared)
 }
}
