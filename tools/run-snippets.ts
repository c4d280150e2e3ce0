/**
 * Runs the code of docs/how-to/protect-an-api.md as it is written there, with tokens that the plugin `tokens` signed and
 * with others that must be refused:
 *
 *     node --conditions=source tools/run-snippets.ts python [path of Python with PyJWT]
 *     node --conditions=source tools/run-snippets.ts go
 *     CLASSPATH=jose4j.jar:slf4j-api.jar node --conditions=source tools/run-snippets.ts java
 *
 * Go finds `github.com/golang-jwt/jwt/v4` in its `GOPATH`. It is no part of the checks.
 */
import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { type AuthConfig, createLatchkey } from '../packages/latchkey/src/index.ts'
import { toNodeListener } from '../packages/latchkey/src/integrations/node.ts'
import { tokens } from '../packages/latchkey/src/plugins/tokens/index.ts'
import { signInAs } from '../packages/latchkey/src/testing.ts'

const page = fileURLToPath(new URL('../docs/how-to/protect-an-api.md', import.meta.url))
const API = 'https://api.example'
const PAGE_ISSUER = 'https://app.example/auth'

/** A language: how its code stands in the page, and a program that calls `verify` with each token of its input. */
interface Language {
  /** Where the code begins, in its block. */
  readonly begins: string
  readonly command: readonly [program: string, ...args: string[]]
  readonly env?: Readonly<Record<string, string>>
  /** Files of the program, by their names. */
  files(code: string): Readonly<Record<string, string>>
}

const languages: Readonly<Record<string, Language>> = {
  python: {
    begins: '```python\n',
    command: [process.argv[3] ?? 'python3', 'main.py'],
    files: (code) => ({
      'main.py': `${code}
import sys
for line in sys.stdin:
    try:
        print("taken", verify(line.strip())["sub"])
    except Exception as error:
        print("refused", type(error).__name__)
`,
    }),
  },
  go: {
    begins: '```go\n',
    command: ['go', 'run', '.'],
    env: { GO111MODULE: 'off' },
    files: (code) => ({
      'api.go': code.replace('package api', 'package main'),
      'main.go': `package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		if claims, err := verify(lines.Text()); err != nil {
			fmt.Println("refused", err)
		} else {
			fmt.Println("taken", claims.Subject)
		}
	}
}
`,
    }),
  },
  java: {
    begins: '```java\nimport ',
    command: ['java', 'Main.java'],
    files: (code) => ({
      // The first class of a file is the one that runs, and it is in the same file.
      'Main.java': code.replace(
        'final class',
        `class Main {
  public static void main(String[] args) throws Exception {
    var input = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
    for (String line; (line = input.readLine()) != null; ) {
      try {
        System.out.println("taken " + AccessTokens.verify(line).getSubject());
      } catch (Exception error) {
        System.out.println("refused " + error.getClass().getSimpleName());
      }
    }
  }
}

final class`,
      ),
    }),
  },
}

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

const language = languages[process.argv[2] ?? 'python']
if (!language) throw new Error(`name one of ${Object.keys(languages).join(', ')}`)
const { begins, command, env, files } = language
const [, block] = readFileSync(page, 'utf8').split(begins)
const code = block?.slice(0, block.indexOf('```'))
if (code === undefined) throw new Error(`${page} has no such code`)
const start = begins.slice(begins.indexOf('\n') + 1)
const folder = mkdtempSync(join(tmpdir(), 'snippet-'))
for (const [name, content] of Object.entries(files(start + code))) {
  writeFileSync(join(folder, name), content.replaceAll(PAGE_ISSUER, `${origin}/auth`))
}
const [program, ...args] = command
const child = spawn(program, args, {
  cwd: folder,
  env: { ...process.env, ...env },
  stdio: ['pipe', 'pipe', 'inherit'],
})
child.stdin.end(cases.map(([, token]) => `${token}\n`).join(''))
const lines = (await text(child.stdout)).trim().split('\n')
rmSync(folder, { recursive: true })
server.close()

for (const [index, [what]] of cases.entries()) {
  const isRight =
    lines[index]?.startsWith(index === 0 ? `taken ${claims.sub}` : 'refused ') ?? false
  if (!isRight) process.exitCode = 1
  console.log(`${isRight ? 'ok    ' : 'WRONG '} ${what}: ${lines[index] ?? 'no answer'}`)
}
