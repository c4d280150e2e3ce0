/**
 * The marks on the buttons of the sign-in page, out of the icons of Simple Icons (CC0), and a few in the colours that
 * their owners ask for. Each provider's file imports its own, `./marks/<name>.ts`; this writes what they import:
 *
 *     node tools/marks.ts          exit 1 when a mark is missing, unused or not what the icon is
 *     node tools/marks.ts --write  writes them
 */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as icons from 'simple-icons'

const library = fileURLToPath(new URL('../packages/latchkey/src', import.meta.url))
const folder = join(library, 'providers/marks')

interface Coloured {
  readonly title: string
  /** Where the owner says how the mark may look. */
  readonly rules: string
  readonly viewBox: string
  readonly paths: readonly (readonly [fill: string, d: string])[]
}

/** Marks that may only be shown in their own colours. */
const coloured: Readonly<Record<string, Coloured>> = {
  google: {
    title: 'Google',
    rules: 'https://developers.google.com/identity/branding-guidelines',
    viewBox: '0 0 48 48',
    paths: [
      [
        '#EA4335',
        'M24 9.5c3.54 0 6.71 1.22 9.21 3.6l6.85-6.85C35.9 2.38 30.47 0 24 0 14.62 0 6.51 5.38 2.56 13.22l7.98 6.19C12.43 13.72 17.74 9.5 24 9.5z',
      ],
      [
        '#4285F4',
        'M46.98 24.55c0-1.57-.15-3.09-.38-4.55H24v9.02h12.94c-.58 2.96-2.26 5.48-4.78 7.18l7.73 6c4.51-4.18 7.09-10.36 7.09-17.65z',
      ],
      [
        '#FBBC05',
        'M10.53 28.59c-.48-1.45-.76-2.99-.76-4.59s.27-3.14.76-4.59l-7.98-6.19C.92 16.46 0 20.12 0 24c0 3.88.92 7.54 2.56 10.78l7.97-6.19z',
      ],
      [
        '#34A853',
        'M24 48c6.48 0 11.93-2.13 15.89-5.81l-7.73-6c-2.15 1.45-4.92 2.3-8.16 2.3-6.26 0-11.57-4.22-13.47-9.91l-7.98 6.19C6.51 42.62 14.62 48 24 48z',
      ],
    ],
  },
  microsoft: {
    title: 'Microsoft',
    rules: 'https://learn.microsoft.com/entra/identity-platform/howto-add-branding-in-apps',
    viewBox: '0 0 21 21',
    paths: [
      ['#F25022', 'M0 0h10v10H0z'],
      ['#7FBA00', 'M11 0h10v10H11z'],
      ['#00A4EF', 'M0 11h10v10H0z'],
      ['#FFB900', 'M11 11h10v10H11z'],
    ],
  },
}

const bySlug = new Map(
  Object.values(icons).flatMap((icon) => ('slug' in icon ? [[icon.slug, icon] as const] : [])),
)

/** Names of the marks that providers import. */
function wanted(): Set<string> {
  const sources = globSync('providers/*.ts', { cwd: library })
  return new Set(
    sources.flatMap((file) =>
      [...readFileSync(join(library, file), 'utf8').matchAll(/'\.\/marks\/([\w-]+)\.ts'/g)].map(
        ([, name = '']) => name,
      ),
    ),
  )
}

function moduleOf(name: string): string {
  const own = coloured[name]
  const plain = bySlug.has(name) || !own ? plainMark(name) : undefined
  return [
    `// Made by tools/marks.ts${plain ? ' out of Simple Icons, CC0' : ''}. Do not change it here.`,
    own && "import type { ColouredMark } from '../../options/provider-options.ts'",
    plain,
    own && colouredMark(own),
  ]
    .filter((part) => part)
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
}

function colouredMark({ title, rules, viewBox, paths }: Coloured): string {
  const short = paths.map(([fill, d]) => `    { fill: '${fill}', d: '${d}' },`)
  const rows = short.every((line) => line.length <= 100)
    ? short
    : paths.map(([fill, d]) => `    {\n      fill: '${fill}',\n      d: '${d}',\n    },`)
  return `
/** ${title} in the colours of its owner (${rules}). */
export const colouredMark: ColouredMark = {
  viewBox: '${viewBox}',
  paths: [
${rows.join('\n')}
  ],
}
`
}

function plainMark(name: string): string {
  const icon = bySlug.get(name)
  if (!icon) throw new Error(`Simple Icons has no "${name}"`)
  if (icon.license && icon.license.type !== 'CC0-1.0')
    throw new Error(`the icon of ${icon.title} has a licence of its own, ${icon.license.type}`)
  const line = `export const mark: string = '${icon.path}'`
  return `
/** ${icon.title}. */
${line.length > 100 ? line.replace(' = ', ' =\n  ') : line}
`
}

function contentOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

const names = wanted()
if (names.size === 0) throw new Error('no provider imports a mark: is it in another folder now?')
const stray = globSync('*.ts', { cwd: folder }).filter((file) => !names.has(basename(file, '.ts')))
const write = process.argv.includes('--write')
const wrong: string[] = []
if (write) {
  mkdirSync(folder, { recursive: true })
  for (const file of stray) rmSync(join(folder, file))
}
for (const name of names) {
  const file = join(folder, `${name}.ts`)
  const module = moduleOf(name)
  if (write) writeFileSync(file, module)
  else if (contentOf(file) !== module) wrong.push(name)
}
if (write) console.log(`${names.size} marks`)
else if (wrong.length > 0 || stray.length > 0) {
  console.log(`not what they should be: ${[...wrong, ...stray].join(', ')}`)
  console.log('run: node tools/marks.ts --write')
  process.exitCode = 1
}
