package main

func generated(seed uint64, i int) Case { return Case{} }
