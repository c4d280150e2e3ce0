import type { Identifier, ImportDeclaration, Node, ObjectProperty } from '@babel/types'
import { importedName } from './imports.ts'
import {
  type AdapterChoice,
  adapterKind,
  entryOf,
  REPLACEMENTS,
  type Replacement,
} from './modules.ts'
import { endOf, type Source, startOf } from './source.ts'

/** Replaces adapters of Auth.js by ours for the same tables, where that is asked for. */
export function replaceAdapters(source: Source, choice: AdapterChoice): void {
  if (choice === 'keep') return
  for (const statement of source.body) {
    if (statement.type !== 'ImportDeclaration') continue
    const kind = adapterKind(statement.source.value)
    if (kind !== undefined) replaceAdapter(source, statement, entryOf(REPLACEMENTS, kind))
  }
}

/** Replaces an import of an adapter and its calls, or says why they stay. */
function replaceAdapter(
  source: Source,
  statement: ImportDeclaration,
  replacement: Replacement | undefined,
): void {
  const module = `\`${statement.source.value}\``
  const [specifier] = statement.specifiers
  const isOne = specifier && statement.specifiers.length === 1
  if (!replacement || !isOne || nameOf(specifier) !== replacement.old) {
    source.leave(
      statement,
      `${module} is kept; docs/reference/schema.md has the layout of Latchkey`,
    )
    return
  }
  const { name } = specifier.local
  const uses = source.references(name).filter(({ parent }) => parent !== specifier)
  const calls = uses.map(({ parent }) => parent)
  const { tables } = replacement
  if (!calls.every((call) => call?.type === 'CallExpression'))
    source.leave(statement, `\`${name}\` is used in another way than as a call; replace it`)
  else if (tables && !calls.every((call) => call && namesTables(call, tables)))
    source.leave(statement, `${module} is kept, because a call does not name its tables`)
  else {
    for (const { node, parent } of uses) if (parent) replaceCall(source, node, parent, replacement)
    const lines = Object.entries(replacement.imports).map(
      ([ours, from]) => `import { ${ours} } from ${source.quoted(from)}${source.semicolon}`,
    )
    source.replace(statement, lines.join('\n'))
  }
}

function nameOf(specifier: ImportDeclaration['specifiers'][number]): string | undefined {
  if (specifier.type === 'ImportSpecifier') return importedName(specifier)
  return specifier.type === 'ImportDefaultSpecifier' ? 'default' : undefined
}

function replaceCall(
  source: Source,
  callee: Node,
  call: Node,
  { call: made, tables }: Replacement,
): void {
  // Around the arguments, so that what is in them can change, too.
  const [before = '', after = ''] = made('\0').split('\0')
  source.edit(startOf(callee), source.text.indexOf('(', endOf(callee)) + 1, before)
  source.edit(endOf(call) - 1, endOf(call), after)
  for (const { key, shorthand } of tables ? propertiesOf(call) : []) {
    const name = entryOf(tables ?? {}, key.name) ?? key.name
    if (shorthand) source.insert(startOf(key), `${name}: `)
    else source.replace(key, name)
  }
}

/** A property of which the name is written out. */
type Named = ObjectProperty & { key: Identifier }

/** The properties of a call's second argument; none if one of them is something else. */
function propertiesOf(call: Node): Named[] {
  const argument = call.type === 'CallExpression' ? call.arguments[1] : undefined
  if (argument?.type !== 'ObjectExpression') return []
  const named = argument.properties.filter(
    (property): property is Named =>
      property.type === 'ObjectProperty' &&
      !property.computed &&
      property.key.type === 'Identifier',
  )
  return named.length === argument.properties.length ? named : []
}

function namesTables(call: Node, tables: Readonly<Record<string, string>>): boolean {
  const names = propertiesOf(call).map(({ key }) => key.name)
  const isKnown = names.every((name) => Object.hasOwn(tables, name))
  return isKnown && names.includes('usersTable') && names.includes('accountsTable')
}
