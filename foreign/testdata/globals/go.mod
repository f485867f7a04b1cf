module example.com/globals

go 1.24
