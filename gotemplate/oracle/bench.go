package main

import "io"

func bench(directory string, out io.Writer) error { return nil }
