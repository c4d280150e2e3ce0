import type { ImportSpecifier } from '@babel/types'
import { importedName, isFree } from './imports.ts'
import { entryOf } from './modules.ts'
import type { Placed, Source } from './source.ts'

/** Functions that take a request and an instance, by module: their names, and the place of the instance. */
const READERS: Readonly<Record<string, readonly [name: string, instance: 0 | 1]>> = {
  'latchkey/fastify': ['sessionOf', 0],
  'latchkey/h3': ['getSession', 1],
}

/** Rewrites `sessionOf(latchkey, request)` and `getSession(event, latchkey)` as `authSession(latchkey)(request)`. */
export function moveSessionReaders(source: Source): void {
  for (const statement of source.body) {
    if (statement.type !== 'ImportDeclaration') continue
    const [name, instance = 0] = entryOf(READERS, statement.source.value) ?? []
    const specifier = statement.specifiers.find(
      (each): each is ImportSpecifier =>
        each.type === 'ImportSpecifier' && importedName(each) === name,
    )
    if (specifier) moveReader(source, specifier, instance)
  }
}

function moveReader(source: Source, specifier: ImportSpecifier, instance: 0 | 1): void {
  const { name } = specifier.local
  const uses = source.references(name).filter(({ parent }) => parent !== specifier)
  if (!isFree(source, 'authSession') || !uses.every(isCallWithTwo)) {
    source.leave(
      specifier,
      `\`${importedName(specifier)}\`: call \`authSession(latchkey)\`, and its result with the request`,
    )
    return
  }
  source.replace(specifier, 'authSession')
  for (const { parent } of uses) {
    if (parent?.type !== 'CallExpression') continue
    const [first = '', second = ''] = parent.arguments.map((argument) => source.textOf(argument))
    const [latchkey, request] = instance === 0 ? [first, second] : [second, first]
    source.replace(parent, `authSession(${latchkey})(${request})`)
  }
}

function isCallWithTwo({ parent, key }: Placed): boolean {
  return parent?.type === 'CallExpression' && key === 'callee' && parent.arguments.length === 2
}
