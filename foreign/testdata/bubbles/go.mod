module example.com/bubbles

go 1.26
