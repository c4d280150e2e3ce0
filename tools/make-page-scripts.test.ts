import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  passkeyScript,
  passkeyScriptHash,
} from '../packages/latchkey/src/protocols/webauthn/passkey-script.generated.ts'
import { committed, modules } from './make-page-scripts.ts'

test.each(modules)('$target is up to date', async (module) => {
  expect(await module.make()).toBe(committed(module))
})

test('the hash in the policy is that of the passkey script', () => {
  const digest = createHash('sha256').update(passkeyScript).digest('base64')
  expect(passkeyScriptHash).toBe(`'sha256-${digest}'`)
})

test('no script ends its own element', () => {
  for (const module of modules) expect(committed(module)).not.toMatch(/<\/script|<!--/i)
})
