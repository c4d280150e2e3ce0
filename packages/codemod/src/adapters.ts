import type { Identifier, Node, ObjectProperty } from '@babel/types'
import { importedName } from './imports.ts'
import { type AdapterChoice, adapterKind, entryOf, REPLACEMENTS } from './modules.ts'
import { endOf, type Source, startOf } from './source.ts'

/** Replaces adapters of Auth.js by ours for the same tables, where that is asked for. */
export function replaceAdapters(source: Source, choice: AdapterChoice): void {
  if (choice === 'keep') return
  for (const statement of source.body) {
    if (statement.type !== 'ImportDeclaration') continue
    const kind = adapterKind(statement.source.value)
    if (kind === undefined) continue
    const replacement = entryOf(REPLACEMENTS, kind)
    const [specifier] = statement.specifiers
    const name =
      specifier?.type === 'ImportSpecifier'
        ? importedName(specifier)
        : specifier?.type === 'ImportDefaultSpecifier'
          ? 'default'
          : undefined
    if (!replacement || !specifier || statement.specifiers.length > 1 || name !== replacement.old) {
      source.leave(
        statement,
        `\`${statement.source.value}\` is kept; docs/reference/schema.md has the layout of Latchkey`,
      )
      continue
    }
    const uses = source
      .references(specifier.local.name)
      .filter(({ parent }) => parent !== specifier)
    const calls = uses.map(({ parent }) => parent)
    if (!calls.every((call) => call?.type === 'CallExpression')) {
      source.leave(
        statement,
        `\`${specifier.local.name}\` is used in another way than as a call; replace it`,
      )
      continue
    }
    const { tables } = replacement
    if (tables && !calls.every((call) => call && namesTables(call, tables))) {
      source.leave(
        statement,
        `\`${statement.source.value}\` is kept, because a call does not name its tables`,
      )
      continue
    }
    for (const [index, call] of calls.entries()) {
      const callee = uses[index]?.node
      if (!call || !callee) continue
      // Around the arguments, so that what is in them can change, too.
      const [before = '', after = ''] = replacement.call('\0').split('\0')
      source.edit(startOf(callee), source.text.indexOf('(', endOf(callee)) + 1, before)
      source.edit(endOf(call) - 1, endOf(call), after)
      for (const property of tables ? propertiesOf(call) : []) {
        const { key, shorthand } = property
        const name = entryOf(tables ?? {}, key.name) ?? key.name
        if (shorthand) source.insert(startOf(key), `${name}: `)
        else source.replace(key, name)
      }
    }
    const lines = Object.entries(replacement.imports).map(
      ([ours, module]) => `import { ${ours} } from ${source.quoted(module)}${source.semicolon}`,
    )
    source.replace(statement, lines.join('\n'))
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
