// Package embed turns texts into vectors without a model server: a text is the mean of the
// rows that its tokens have in a table. The table is WordLlama's (l2_supercat, 32,000 tokens
// of 256 dimensions, MIT licence), or any other of that form.
//
//	table.go      a table: its file of vectors (safetensors), the mean of a text
//	tokenizer.go  the tokens of a text: byte pair encoding as Llama has it
//	bring.go      brings WordLlama's table to this machine with pip
package embed
