/**
 * Runs the code of docs/how-to/protect-an-api.md as it is written there, with tokens that the plugin `tokens` signed and
 * with others that must be refused:
 *
 *     node --conditions=source tools/run-snippets.ts python [path of Python with PyJWT]
 *     node --conditions=source tools/run-snippets.ts go
 *     CLASSPATH=jose4j.jar:slf4j-api.jar node --conditions=source tools/run-snippets.ts java
 *     node --conditions=source tools/run-snippets.ts nginx
 *     node --conditions=source tools/run-snippets.ts caddy
 *
 * Go finds `github.com/golang-jwt/jwt/v4` in its `GOPATH`; Debian's package has the folder without `v4`. It is no part of
 * the checks.
 */
import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type AuthConfig, createLatchkey } from '../packages/latchkey/src/entries/index.ts'
import { signInAs } from '../packages/latchkey/src/entries/testing.ts'
import { toNodeListener } from '../packages/latchkey/src/integrations/node.ts'
import { tokens } from '../packages/latchkey/src/plugins/tokens/index.ts'

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

/** A proxy: how its code stands in the page, and what has to be around it. */
interface Proxy {
  readonly begins: string
  readonly command: readonly [program: string, ...args: string[]]
  readonly file: string
  /** @param at ports of the proxy and of the API, and where the application is. */
  around(code: string, at: { port: number; api: number; app: URL; folder: string }): string
}

const proxies: Readonly<Record<string, Proxy>> = {
  nginx: {
    begins: '```nginx\n',
    command: ['nginx', '-e', 'stderr', '-c'],
    file: 'nginx.conf',
    around: (code, { port, api, app, folder }) => `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  upstream api { server 127.0.0.1:${api}; }
  server {
    listen 127.0.0.1:${port};
    ${code.replaceAll('https://app.example', app.origin).replaceAll('app.example', app.host)}
  }
}
`,
  },
  caddy: {
    begins: '```caddyfile\n',
    command: ['caddy', 'run', '--adapter', 'caddyfile', '--config'],
    file: 'Caddyfile',
    around: (code, { port, api, app }) => `
{
	admin off
	auto_https off
}
http://127.0.0.1:${port} {
${code
  .replaceAll('app.example:443', app.host)
  .replaceAll('app.example', app.host)
  .replace('api:8080', `127.0.0.1:${api}`)
  // The application of this run has no certificate.
  .replace(/transport http \{\s*tls\s*\}/, '')}
}
`,
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

const name = process.argv[2] ?? 'python'
const [language, proxy] = [languages[name], proxies[name]]
const folder = mkdtempSync(join(tmpdir(), 'snippet-'))
try {
  if (language) await runLanguage(language)
  else if (proxy) await runProxy(proxy)
  else throw new Error(`name one of ${Object.keys({ ...languages, ...proxies }).join(', ')}`)
} finally {
  rmSync(folder, { recursive: true })
  server.close()
}

function codeOf(begins: string): string {
  const [, block] = readFileSync(page, 'utf8').split(begins)
  if (block === undefined) throw new Error(`${page} has no code that begins with ${begins}`)
  return begins.slice(begins.indexOf('\n') + 1) + block.slice(0, block.indexOf('```'))
}

function report(what: string, isRight: boolean, answer: string | undefined): void {
  if (!isRight) process.exitCode = 1
  console.log(`${isRight ? 'ok    ' : 'WRONG '} ${what}: ${answer ?? 'no answer'}`)
}

async function runLanguage({ begins, command, env, files }: Language): Promise<void> {
  for (const [file, content] of Object.entries(files(codeOf(begins)))) {
    writeFileSync(join(folder, file), content.replaceAll(PAGE_ISSUER, `${origin}/auth`))
  }
  const [program, ...args] = command
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(cases.map(([, token]) => `${token}\n`).join(''))
  const lines = (await text(child.stdout)).trim().split('\n')
  for (const [index, [what]] of cases.entries()) {
    const line = lines[index]
    report(what, line?.startsWith(index === 0 ? `taken ${claims.sub}` : 'refused ') ?? false, line)
  }
}

/** Runs a proxy in front of an API that returns the user of the headers it received. */
async function runProxy({ begins, command, file, around }: Proxy): Promise<void> {
  const api = await listening((request, response) => {
    const { 'x-auth-subject': subject = '', 'x-auth-scope': scope = '' } = request.headers
    response.end([subject, scope].flat().join(' '))
  })
  const free = await listening(() => {})
  const { port } = free.address() as AddressInfo
  await new Promise((resolve) => free.close(resolve))
  const at = { port, api: (api.address() as AddressInfo).port, app: new URL(origin), folder }
  const path = join(folder, file)
  writeFileSync(path, around(codeOf(begins), at))
  const [program, ...args] = command
  const child = spawn(program, [...args, path], { stdio: ['ignore', 'ignore', 'pipe'] })
  const log = text(child.stderr)
  try {
    const ask = (headers: Record<string, string>): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}/api/orders`, { headers })
    await answering(() => ask({}))
    for (const [index, [what, token]] of cases.entries()) {
      const spoofed = { 'x-auth-subject': 'eve', 'x-auth-scope': 'everything' }
      const answer = await ask({ ...spoofed, authorization: `Bearer ${token}` })
      const told = `${answer.status} ${answer.ok ? await answer.text() : ''}`.trim()
      report(what, told === (index === 0 ? `200 ${claims.sub}` : '401'), told)
    }
    const without = await ask({ 'x-auth-subject': 'eve' })
    report('no token', without.status === 401, String(without.status))
  } finally {
    child.kill()
    await once(child, 'exit')
    api.close()
    if (process.exitCode) console.log(await log)
  }
}

async function listening(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<ReturnType<typeof createServer>> {
  const each = createServer(answer)
  each.listen(0, '127.0.0.1')
  await once(each, 'listening')
  return each
}

/** Waits until somebody listens. */
async function answering(ask: () => Promise<Response>): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const isThere = await ask().then(
      () => true,
      () => false,
    )
    if (isThere) return
    await wait(100)
  }
  throw new Error('the proxy does not answer')
}
