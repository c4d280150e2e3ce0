/**
 * Finds optional dependencies that the lockfile forgot.
 *
 * A registry can offer a release before the builds of it for every platform. `npm install` then
 * writes a lockfile without them and is content; `npm ci` on a fresh clone is not. So whatever a
 * locked package names as optional must be locked as well, where that package would find it.
 *
 *     node tools/check-lock.mjs [package-lock.json]
 */
import { readFileSync } from 'node:fs'

const file = process.argv[2] ?? new URL('../package-lock.json', import.meta.url)
/** @type {Record<string, { version?: string, optionalDependencies?: Record<string, string> }>} */
const locked = JSON.parse(readFileSync(file, 'utf8')).packages

const missing = Object.entries(locked).flatMap(([path, entry]) =>
  Object.entries(entry.optionalDependencies ?? {})
    .filter(([name]) => !placesToLook(path, name).some((place) => place in locked))
    .map(([name, range]) => `${name}@${range}, wanted by ${path || 'the root'}`),
)

for (const line of missing) console.error(`not in the lockfile: ${line}`)
console.log(`${Object.keys(locked).length} packages locked, ${missing.length} missing`)
process.exitCode = missing.length > 0 ? 1 : 0

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
