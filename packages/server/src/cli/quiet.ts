/** What Node.js warns of while it does what is wanted, or what the command line says in its own words. */
const known: readonly RegExp[] = [
  /^SQLite is an experimental feature/,
  /^Type Stripping is an experimental feature/,
  // A configuration file below a package.json without "type" is found to be a module.
  /^Module type of \S+latchkey\.config\.\w+ is not specified/,
  /^Failed to load the ES module: .*latchkey\.config\.\w+/,
]

/** Keeps these warnings from standard error; all others stay. */
export function dropKnownWarnings(): void {
  const listeners = process.listeners('warning')
  process.removeAllListeners('warning')
  process.on('warning', (warning) => {
    if (known.some((pattern) => pattern.test(warning.message))) return
    for (const listener of listeners) listener(warning)
  })
}
