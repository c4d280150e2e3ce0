/**
 * Finds optional dependencies that the lockfile forgot.
 *
 * A registry can offer a release before the builds of it for every platform. `npm install` then
 * writes a lockfile without them and is content; `npm ci` on a fresh clone is not. So whatever a
 * locked package names as optional must be locked as well, where that package would find it.
 *
 *     node tools/check-lock.mjs [package-lock.json…]
 *
 * Without a name it looks at that of the root, of the site, and at all below `examples` and `interop`.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { projectsBelow } from './ensure-installed.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const named = process.argv.slice(2)
const files =
  named.length > 0
    ? named
    : ['', 'site', ...projectsBelow(root, 'examples'), ...projectsBelow(root, 'interop')].map(
        (project) => join(root, project, 'package-lock.json'),
      )

for (const file of files) {
  /** @type {Record<string, { version?: string, optionalDependencies?: Record<string, string> }>} */
  const locked = JSON.parse(readFileSync(file, 'utf8')).packages
  const missing = Object.entries(locked).flatMap(([path, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(([name]) => !placesToLook(path, name).some((place) => place in locked))
      .map(([name, range]) => `${name}@${range}, wanted by ${path || 'the root'}`),
  )
  for (const line of missing) console.error(`not in the lockfile: ${line}`)
  console.log(`${Object.keys(locked).length} packages locked, ${missing.length} missing`)
  if (missing.length > 0) process.exitCode = 1
}

/**
 * Where Node.js looks for a dependency of the package at `path`: beside its own, then upwards.
 *
 * @param {string} path
 * @param {string} name
 */
function placesToLook(path, name) {
  const places = [`${path ? `${path}/` : ''}node_modules/${name}`]
  for (let at = path; at !== ''; ) {
    const cut = at.lastIndexOf('/node_modules/')
    at = cut < 0 ? '' : at.slice(0, cut)
    places.push(`${at ? `${at}/` : ''}node_modules/${name}`)
  }
  return places
}
