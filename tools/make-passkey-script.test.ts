import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  passkeyScript,
  passkeyScriptHash,
} from '../packages/latchkey/src/protocols/webauthn/passkey-script.generated.ts'
import { committedPasskeyScript, makePasskeyScript } from './make-passkey-script.ts'

test('the script of the sign-in page is the one that is made now', async () => {
  expect(await makePasskeyScript()).toBe(committedPasskeyScript())
})

test('the hash is that of the script', () => {
  const digest = createHash('sha256').update(passkeyScript).digest('base64')
  expect(passkeyScriptHash).toBe(`'sha256-${digest}'`)
})

test('the script does not end its own element', () => {
  expect(passkeyScript).not.toMatch(/<\/script|<!--/i)
})
