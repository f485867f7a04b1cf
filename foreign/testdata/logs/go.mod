module logs

go 1.26
