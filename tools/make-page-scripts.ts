/**
 * Makes the scripts of the built-in pages out of `packages/latchkey/browser` and what they import: modules that hold the
 * texts, and of the script for passkeys its hash, for the Content-Security-Policy of the page.
 *
 *     node tools/make-page-scripts.ts            are the committed modules what is made now?
 *     node tools/make-page-scripts.ts --write    writes them
 */
import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const library = fileURLToPath(new URL('../packages/latchkey', import.meta.url))

/** A module that is made. */
interface Made {
  /** Its path in the package. */
  readonly target: string
  make(): Promise<string>
}

export const modules: readonly Made[] = [
  { target: 'src/protocols/webauthn/passkey-script.generated.ts', make: makePasskeyScript },
  { target: 'src/page-kit/scripts.generated.ts', make: makePageScripts },
  {
    target: 'src/plugins/limits/challenge/script.generated.ts',
    make: () => makeScript('browser/work.ts', 'workScript', 'of forms with a proof of work'),
  },
  {
    target: 'src/plugins/limits/captcha/scripts.generated.ts',
    make: () =>
      makeScript('browser/score.ts', 'scoreScript', 'of forms with a challenge that has a score'),
  },
]

async function makePasskeyScript(): Promise<string> {
  const script = await scriptOf('browser/passkey.ts')
  const digest = createHash('sha256').update(script).digest('base64')
  return `// Made by tools/make-page-scripts.ts out of browser/passkey.ts. Do not change it here.
// It holds parts of @simplewebauthn/browser, copyright Matthew Miller, under the MIT License.

/** The script of the forms for passkeys. */
export const passkeyScript: string =
  ${quote(script)}

/** Its hash, as a source in a Content-Security-Policy. */
export const passkeyScriptHash = "'sha256-${digest}'"
`
}

async function makePageScripts(): Promise<string> {
  const files = globSync('browser/page/*.ts', { cwd: library }).sort()
  const scripts = await Promise.all(
    files.map(async (file) => `  ${basename(file, '.ts')}: ${quote(await scriptOf(file))},\n`),
  )
  return `// Made by tools/make-page-scripts.ts out of browser/page. Do not change it here.

/** The scripts that improve pages, by the name of their file. */
// biome-ignore format: one line for each script
export const pageScripts = {
${scripts.join('')}} as const
`
}

async function makeScript(file: string, name: string, what: string): Promise<string> {
  return `// Made by tools/make-page-scripts.ts out of ${file}. Do not change it here.

/** The script ${what}. */
export const ${name}: string =
  ${quote(await scriptOf(file))}
`
}

async function scriptOf(file: string): Promise<string> {
  const { output } = await build({
    cwd: library,
    input: join(library, file),
    platform: 'browser',
    write: false,
    transform: { target: 'es2020' },
    treeshake: { moduleSideEffects: (id) => id.includes('/browser/') },
    output: { format: 'iife', minify: true, comments: false },
  })
  const [chunk] = output
  const script = chunk.code.trim()
  if (/<\/script|<!--/i.test(script)) throw new Error(`${file} would end its own element`)
  return script
}

function quote(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "\\'")
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
  return `'${escaped}'`
}

/** Returns a module as it is committed. */
export function committed({ target }: Made): string {
  return readFileSync(join(library, target), 'utf8')
}

if (import.meta.main) {
  for (const each of modules) {
    const made = await each.make()
    if (process.argv.includes('--write')) writeFileSync(join(library, each.target), made)
    else if (made !== committed(each)) {
      console.error(`${each.target} is not what is made now`)
      process.exitCode = 1
    }
  }
}
