import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { DeclarationTree } from '../../../tools/declarations.ts'
import { ensureBuilt } from '../../../tools/ensure-built.ts'

const interop = fileURLToPath(new URL('../..', import.meta.url))
const root = join(interop, '..')
const built = join(root, 'packages/latchkey/dist')

/** Modules that an application imports, by the names that it changes. */
const modules: readonly (readonly [theirs: string, ours: string])[] = [
  ['next-auth/node_modules/next-auth/index', 'integrations/next'],
  ['next-auth/node_modules/next-auth/react', 'client/react'],
  ['next-auth/node_modules/next-auth/webauthn', 'client/react'],
  ['next-auth/node_modules/@auth/sveltekit/dist/index', 'integrations/sveltekit'],
  ['next-auth/node_modules/@auth/sveltekit/dist/client', 'client/sveltekit'],
  ['next-auth/node_modules/@auth/sveltekit/dist/webauthn', 'client/sveltekit'],
  ['next-auth/node_modules/@auth/sveltekit/dist/components/index', 'client/sveltekit-components'],
  ['next-auth/node_modules/@auth/solid-start/index', 'integrations/solid-start'],
  ['next-auth/node_modules/@auth/solid-start/client', 'client/solid-start'],
  ['next-auth/node_modules/@auth/express/index', 'integrations/express'],
  ['qwik/node_modules/@auth/qwik/index', 'integrations/qwik'],
]

/** What we do not have, and why. */
const without: Readonly<Record<string, string>> = {
  'next-auth/react/SessionContext': 'what is in our context is no session',
  'next-auth/react/__NEXTAUTH': 'where its provider keeps what it knows, for everybody on the page',
  '@auth/qwik/GetSessionResult': 'of a function that it does not export',
  '@auth/qwik/setEnvDefaults': 'the variables are read without it; `latchkey` has one',
}

/** The names that a module exports, as its declarations have them. */
function namesIn(file: string): string[] {
  const text = readFileSync(`${file}.d.ts`, 'utf8').replace(/\/\*.*?\*\//gs, '')
  const lists = Array.from(text.matchAll(/^export (?:type )?\{(.*?)\}/gms), ([, list = '']) => list)
  const listed = lists
    .join()
    .split(',')
    .map((one) => one.trim().split(/\s/).at(-1) ?? '')
  const declared = text.matchAll(
    /^export (?:declare )?(?:const|function|class|interface|type) (\w+\$?)/gm,
  )
  return [...new Set([...listed, ...Array.from(declared, ([, name = '']) => name)])]
    .filter((name) => name !== '')
    .sort()
}

beforeAll(() => {
  ensureBuilt()
})

test('each name that the packages of Auth.js export exists in Latchkey', () => {
  const tree = new DeclarationTree()
  const missing = modules.flatMap(([theirs, ours]) => {
    const module = theirs.replace(/^.*?node_modules\//, '').replace(/\/(?:dist\/)?index$/, '')
    const names = namesIn(join(interop, theirs))
    expect(names).not.toEqual([])
    const known = tree.exportsOf(join(built, `${ours}.d.ts`)).map(([name]) => name)
    return names.filter((name) => !known.includes(name)).map((name) => `${module}/${name}`)
  })
  expect(missing).toEqual(Object.keys(without))
})
