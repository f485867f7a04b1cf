module example.com/requires

go 1.24

require example.com/required v0.0.0

replace example.com/required => ../required
