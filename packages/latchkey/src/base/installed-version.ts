/**
 * Returns the version of an installed package, for packages that do not export theirs. `undefined` where
 * it cannot be found out: in a bundle that was moved, and on runtimes without the modules of Node.js.
 */
export function installedVersion(name: string): string | undefined {
  try {
    const { process } = globalThis as { process?: NodeProcess }
    const { createRequire } = process?.getBuiltinModule?.('node:module') ?? {}
    const { readFileSync } = process?.getBuiltinModule?.('node:fs') ?? {}
    const entry =
      createRequire?.(import.meta.url)
        .resolve(name)
        .replaceAll('\\', '/') ?? ''
    const folder = `node_modules/${name}/`
    const manifest = `${entry.slice(0, entry.lastIndexOf(folder))}${folder}package.json`
    const { version } = JSON.parse(readFileSync?.(manifest, 'utf8') ?? '{}') as {
      version?: unknown
    }
    return typeof version === 'string' ? version : undefined
  } catch {
    return undefined
  }
}

/** The used members of `process`, which most runtimes have. */
interface NodeProcess {
  getBuiltinModule?(name: 'node:module'): {
    createRequire(from: string): { resolve(name: string): string }
  }
  getBuiltinModule?(name: 'node:fs'): { readFileSync(file: string, encoding: 'utf8'): string }
}
