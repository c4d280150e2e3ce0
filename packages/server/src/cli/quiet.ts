/** Warnings of Node.js about something that is intended, or that the command line reports itself. */
const known: readonly RegExp[] = [
  /^SQLite is an experimental feature/,
  /^Type Stripping is an experimental feature/,
  // For a configuration file below a package.json without "type".
  /^Module type of \S+latchkey\.config\.\w+ is not specified/,
  /^Failed to load the ES module: .*latchkey\.config\.\w+/,
]

/** Removes these warnings from standard error. All other warnings are still printed. */
export function dropKnownWarnings(): void {
  const listeners = process.listeners('warning')
  process.removeAllListeners('warning')
  process.on('warning', (warning) => {
    if (known.some((pattern) => pattern.test(warning.message))) return
    for (const listener of listeners) listener(warning)
  })
}
