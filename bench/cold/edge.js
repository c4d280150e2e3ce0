// A bundle as an edge runtime loads it: one file, whose top level runs.
// The first import of a process also loads the loader.
await import('./least.js')
const start = performance.now()
await import(process.argv[4] ?? '')
console.log(performance.now() - start)
