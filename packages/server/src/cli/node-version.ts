/** The oldest Node.js version that has everything the service uses: `engines` in package.json. */
const NEEDED = [22, 18] as const

/**
 * Says why this Node.js version cannot run the command line.
 *
 * @param version as in `process.versions.node`.
 * @returns `undefined` if it can.
 */
export function tooOld(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) return undefined
  return `latchkey needs Node.js ${NEEDED.join('.')} or later, this is v${version} (latchkey/docs/reference/errors.md#command-line-of-the-service)`
}
