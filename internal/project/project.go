// Package project reads what the files of a project say about it.
package project
