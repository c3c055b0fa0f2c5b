// Package pipeline takes a model's output through all stages. It is the only
// package that imports several of them: gates, caching and concurrency live here.
//
//	parse → gates → hint → gates → build → capture → judge → reward
//
// Gates stand as early as what they ask for is known, so that an output which
// cannot win costs next to nothing.
package pipeline
