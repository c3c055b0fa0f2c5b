// Package script is a small language for exercising a site: steps that a person
// could do, and what is expected after them. It is YAML, so that people can read and
// write it, and JSON is YAML, so that a model can. A saved script runs again without
// any model, and does the same each time.
//
//   - id: cart-1
//     task: Add the first product to the cart
//     expected: The badge shows 1
//     steps:
//   - click: {role: button, name: Add to cart}
//   - expect: {text: "Cart (1)"}
//
// Every word of the language is in docs/scripts.md.
package script
