/**
 * Makes the script of the sign-in page out of `packages/latchkey/browser/passkey.ts` and what it
 * imports: one module that holds the text and its hash, for the page's Content-Security-Policy.
 *
 *     node tools/make-passkey-script.ts            is the committed module what is made now?
 *     node tools/make-passkey-script.ts --write    writes it
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const library = fileURLToPath(new URL('../packages/latchkey', import.meta.url))

/** Where the module is kept. */
const target = join(library, 'src/protocols/webauthn/passkey-script.generated.ts')

/** The text of the module, as it is made now. */
export async function makePasskeyScript(): Promise<string> {
  const { output } = await build({
    cwd: library,
    input: join(library, 'browser/passkey.ts'),
    platform: 'browser',
    write: false,
    transform: { target: 'es2020' },
    treeshake: { moduleSideEffects: (id) => id.includes('/browser/passkey.ts') },
    output: { format: 'iife', minify: true, comments: false },
  })
  const [chunk] = output
  const script = chunk.code.trim()
  if (/<\/script|<!--/i.test(script)) throw new Error('the script would end its own element')
  const digest = createHash('sha256').update(script).digest('base64')
  return `// Made by tools/make-passkey-script.ts out of browser/passkey.ts. Do not change it here.
// It holds parts of @simplewebauthn/browser, copyright Matthew Miller, under the MIT License.

/** The script of the forms for passkeys. */
export const passkeyScript: string =
  ${quote(script)}

/** Its hash, as a source in a Content-Security-Policy. */
export const passkeyScriptHash = "'sha256-${digest}'"
`
}

function quote(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "\\'")
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
  return `'${escaped}'`
}

/** The module as it is committed. */
export function committedPasskeyScript(): string {
  return readFileSync(target, 'utf8')
}

if (import.meta.main) {
  const made = await makePasskeyScript()
  if (process.argv.includes('--write')) writeFileSync(target, made)
  else if (made !== committedPasskeyScript()) {
    console.error('src/protocols/webauthn/passkey-script.generated.ts is not what is made now')
    process.exitCode = 1
  }
}
