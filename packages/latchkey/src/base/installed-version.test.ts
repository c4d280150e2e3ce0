import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { installedVersion } from './installed-version.ts'

test('the version of a package that does not export its own is read from its files', () => {
  const manifest = new URL(
    '../../node_modules/@simplewebauthn/server/package.json',
    import.meta.url,
  )
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
  expect(installedVersion('@simplewebauthn/server')).toBe(version)
})

test('the version of a missing package is unknown, as it is without Node.js', () => {
  expect(installedVersion('no-such-package')).toBeUndefined()
  vi.stubGlobal('process', undefined)
  onTestFinished(() => void vi.unstubAllGlobals())
  expect(installedVersion('@simplewebauthn/server')).toBeUndefined()
})
