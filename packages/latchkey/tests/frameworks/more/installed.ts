import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { projectWithLatchkey, run } from '../../package/packed.ts'

// What people have when they come: frameworks of several years, installed as npm does when it is strict
// about peers, with the packed library beside.

/** Installing and building a framework takes minutes on a busy machine. */
export const patient: { timeout: number } = { timeout: 10 * 60_000 }

export type Versions = Readonly<Record<string, string>>

/** What `npm install` leaves in a folder outside of this repository. Everything but scripts. */
export function install(name: string, dependencies: Versions, binaries = false): string {
  const folder = mkdtempSync(join(tmpdir(), `latchkey-${name}-`))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  installInto(folder, { private: true, type: 'module', dependencies }, binaries)
  return folder
}

export function installInto(
  folder: string,
  manifest: Readonly<Record<string, unknown>> & { dependencies: Versions },
  binaries: boolean,
): void {
  const packed = projectWithLatchkey()
  const [tarball = ''] = readdirSync(packed).filter((file) => file.endsWith('.tgz'))
  cpSync(join(packed, tarball), join(folder, 'latchkey.tgz'))
  const dependencies = { ...manifest.dependencies, latchkey: 'file:latchkey.tgz' }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, dependencies }))
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  // Builds for one platform are what is large in these packages, and types need none of them.
  const light = binaries ? [] : ['--omit=optional']
  run('npm', ['install', '--strict-peer-deps', '--ignore-scripts', ...light, ...quiet], folder)
}

export function inFolder(folder: string, file: string): string {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  return join(folder, file)
}

/** Returns the cookies that a response sets, as the browser sends them. */
export function cookiesOf({ headers }: Response): string {
  return headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}
