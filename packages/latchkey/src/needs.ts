/** A package that the application brings along, with the versions of it that work. */
export interface Requirement {
  /** The subpath or the feature that uses the package. */
  readonly what: string
  readonly name: string
  /** The first version that works. */
  readonly from: string
  /** The first later version that does not work. */
  readonly before?: string
}

/**
 * Checks a package when the subpath that uses it is loaded. npm does not: a range of versions among the
 * peers would stop the installation of applications that use another subpath only.
 *
 * @param found its version; a version that nobody knows is let through.
 * @throws {Error} that names the package, the version found and the versions that work.
 */
export function needs(requirement: Requirement, found: string | undefined): void {
  const { from, before } = requirement
  if (found === undefined) return
  if (isBelow(found, from) || (before !== undefined && !isBelow(found, before)))
    throw new Error(unmet(requirement, found))
}

/**
 * Returns what to tell when a package is missing or has another version than those that work.
 *
 * @param found its version, or `none`.
 */
export function unmet(
  { what, name, from, before }: Requirement,
  found = 'another version',
): string {
  const versions = before === undefined ? `${from} or later` : `${from} or later, below ${before}`
  const range = before === undefined ? `>=${from}` : `>=${from} <${before}`
  return `${what} needs ${name} ${versions}, found ${found}: run npm install "${name}@${range}"`
}

function isBelow(version: string, bound: string): boolean {
  const [left, right] = [numbers(version), numbers(bound)]
  const at = right.findIndex((number, i) => number !== (left[i] ?? 0))
  return at >= 0 && (left[at] ?? 0) < (right[at] ?? 0)
}

/** `1.2.0-rc.3` counts as `1.2.0`: what a version brings or takes away, its candidates do as well. */
function numbers(version: string): number[] {
  const [release = ''] = version.split(/[-+]/)
  return release.split('.').map(Number)
}
