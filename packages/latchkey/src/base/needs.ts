/** A package that the application installs, with its supported versions. */
export interface Requirement {
  /** The subpath or the feature that uses the package. */
  readonly what: string
  readonly name: string
  /** The first supported version. */
  readonly from: string
  /** The first later version that is not supported. */
  readonly before?: string
}

/**
 * Checks a package when the subpath that uses it is loaded. npm does not check it: a version range among the
 * peer dependencies would stop the installation of applications that use only other subpaths.
 *
 * @param found the installed version; an unknown version is accepted.
 * @throws {Error} with the package, the installed version and the supported versions.
 */
export function needs(requirement: Requirement, found: string | undefined): void {
  const { from, before } = requirement
  if (found === undefined) return
  if (isBelow(found, from) || (before !== undefined && !isBelow(found, before)))
    throw new Error(unmet(requirement, found))
}

/**
 * Returns the message for a package that is missing or has an unsupported version.
 *
 * @param found its version, or `none`.
 */
export function unmet(
  { what, name, from, before }: Requirement,
  found = 'another version',
): string {
  const versions = before === undefined ? `${from} or later` : `${from} or later, below ${before}`
  const range = before === undefined ? `>=${from}` : `>=${from} <${before}`
  return `${what} needs ${name} ${versions}, found ${found}: run npm install "${name}@${range}" (latchkey/docs/reference/errors.md#a-package-is-missing-or-too-old)`
}

function isBelow(version: string, bound: string): boolean {
  const [left, right] = [numbers(version), numbers(bound)]
  const at = right.findIndex((number, i) => number !== (left[i] ?? 0))
  return at >= 0 && (left[at] ?? 0) < (right[at] ?? 0)
}

/** Treats `1.2.0-rc.3` as `1.2.0`, since release candidates have the changes of the release. */
function numbers(version: string): number[] {
  const [release = ''] = version.split(/[-+]/)
  return release.split('.').map(Number)
}
