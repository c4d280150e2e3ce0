/**
 * Runs the Python code of docs/how-to/protect-an-api.md as it is written there, with tokens that the plugin `tokens`
 * signed and with others that must be refused:
 *
 *     node --conditions=source tools/run-snippets.ts [python]
 *
 * It needs Python with `PyJWT[crypto]`, and is no part of the checks.
 */
import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { type AuthConfig, createLatchkey } from '../packages/latchkey/src/index.ts'
import { toNodeListener } from '../packages/latchkey/src/integrations/node.ts'
import { tokens } from '../packages/latchkey/src/plugins/tokens/index.ts'
import { signInAs } from '../packages/latchkey/src/testing.ts'

const page = fileURLToPath(new URL('../docs/how-to/protect-an-api.md', import.meta.url))
const python = process.argv[2] ?? 'python3'
const API = 'https://api.example'
const PAGE_ISSUER = 'https://app.example/auth'

/** Calls `verify` of the snippet with each token, and prints what came of it. */
const AROUND = `
import json, sys
names = {}
exec(sys.argv[1], names)
for token in json.load(sys.stdin):
    try:
        print("taken", names["verify"](token)["sub"])
    except Exception as error:
        print("refused", type(error).__name__)
`

const ES256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const keyPair = await crypto.subtle.generateKey(ES256, true, ['sign', 'verify'])
const stranger = await crypto.subtle.generateKey(ES256, true, ['sign', 'verify'])
const exported = await crypto.subtle.exportKey('jwk', keyPair.privateKey)
const privateKey = { ...exported, alg: 'ES256', kid: 'one' }

const server = createServer()
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const config = {
  providers: [],
  secret: 'a secret for snippets, 0123456789abcdef',
  trustHost: true,
  session: { strategy: 'jwt' },
  plugins: [tokens({ jwt: { audiences: { [API]: {} }, keys: [privateKey] } })],
} satisfies AuthConfig
const latchkey = createLatchkey(config, { AUTH_URL: origin })
server.on('request', toNodeListener(latchkey))

const { headers } = await signInAs(config, { id: 'ada', name: 'Ada' }, origin)
const { access_token: good } = await latchkey.api.tokens.issue(new Request(origin, { headers }))
const [head = '', body = ''] = good.split('.')
const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as { readonly sub: string }
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

async function signed(
  changes: object,
  typ = 'at+jwt',
  key: CryptoKey = keyPair.privateKey,
): Promise<string> {
  const parts = `${encoded({ alg: 'ES256', typ, kid: 'one' })}.${encoded({ ...claims, ...changes })}`
  const signature = await crypto.subtle.sign(ES256, key, Buffer.from(parts))
  return `${parts}.${Buffer.from(signature).toString('base64url')}`
}

const symmetric = `${encoded({ alg: 'HS256', typ: 'at+jwt', kid: 'one' })}.${body}`
const publicKey = JSON.stringify(await crypto.subtle.exportKey('jwk', keyPair.publicKey))

const cases: readonly (readonly [what: string, token: string])[] = [
  ['a token of the plugin', good],
  ['another type', await signed({}, 'JWT')],
  ['another issuer', await signed({ iss: 'https://elsewhere.example/auth' })],
  ['another API', await signed({ aud: 'https://other.example' })],
  ['expired', await signed({ exp: 1 })],
  ['without an end', await signed({ exp: undefined })],
  ['the key of a stranger', await signed({}, 'at+jwt', stranger.privateKey)],
  [
    'signed with the public key',
    `${symmetric}.${createHmac('sha256', publicKey).update(symmetric).digest('base64url')}`,
  ],
  ['not signed', `${encoded({ alg: 'none', typ: 'at+jwt', kid: 'one' })}.${body}.`],
  ['a changed claim', `${head}.${encoded({ ...claims, sub: 'eve' })}.${good.split('.')[2]}`],
]

const code = /```python\n([\s\S]*?)```/.exec(readFileSync(page, 'utf8'))?.[1]
if (code === undefined) throw new Error(`${page} has no Python code`)
const child = spawn(python, ['-c', AROUND, code.replaceAll(PAGE_ISSUER, `${origin}/auth`)], {
  stdio: ['pipe', 'pipe', 'inherit'],
})
child.stdin.end(JSON.stringify(cases.map(([, token]) => token)))
const lines = (await text(child.stdout)).trim().split('\n')
server.close()

for (const [index, [what]] of cases.entries()) {
  const isRight =
    lines[index]?.startsWith(index === 0 ? `taken ${claims.sub}` : 'refused ') ?? false
  if (!isRight) process.exitCode = 1
  console.log(`${isRight ? 'ok    ' : 'WRONG '} ${what}: ${lines[index] ?? 'no answer'}`)
}
