import type {
  Comment,
  ExportNamedDeclaration,
  ExportSpecifier,
  ImportDeclaration,
  ImportSpecifier,
  Node,
} from '@babel/types'
import { changeOf, targetOf } from './modules.ts'
import { endOf, type Placed, type Source, startOf } from './source.ts'

/** Functions of test runners that name a module. */
const NAMING = /^(?:require|require\.resolve|import\.meta\.resolve|(?:jest|vi)\.\w+)$/

/** Rewrites every place that names a module of Auth.js, and the names that are taken from it. */
export function moveImports(source: Source): void {
  for (const placed of source.nodes) {
    const { node, parent } = placed
    if (node.type === 'MemberExpression' && source.textOf(node) === 'process.env.NEXTAUTH_URL')
      source.leave(node, '`NEXTAUTH_URL` is now `AUTH_URL`')
    if (node.type !== 'StringLiteral' || (parent && source.isReplaced(parent))) continue
    const target = targetOf(node.value)
    if (!namesModule(source, placed)) {
      const reason = target ? `a string contains \`${node.value}\`` : cookieIn(node.value)
      if (reason !== undefined) source.leave(node, reason)
    } else if (target === undefined) moveNames(source, parent, node.value)
    else if ('leave' in target) source.leave(node, `\`${node.value}\`: ${target.leave}`)
    else {
      source.edit(startOf(node) + 1, endOf(node) - 1, target.to)
      moveNames(source, parent, target.to)
      leaveRequired(source, parent, target.to)
    }
  }
  for (const comment of source.file.comments ?? []) moveComment(source, comment)
}

/** Names each module that would be replaced, where it stays. */
export function leaveModules(source: Source, reason: string): void {
  for (const placed of source.nodes) {
    const { node } = placed
    if (node.type === 'StringLiteral' && targetOf(node.value) && namesModule(source, placed))
      source.leave(node, `\`${node.value}\` stays, ${reason}`)
  }
}

/** Names where a file takes the components of SvelteKit, which need Svelte 5. */
export function leaveComponents(source: Source): void {
  for (const { node } of source.nodes) {
    if (node.type === 'StringLiteral' && node.value === '@auth/sveltekit/components')
      source.leave(
        node,
        '`SignIn` and `SignOut` need Svelte 5; with Svelte 4, write the two forms (docs/how-to/use-with-sveltekit.md)',
      )
  }
}

/** Types that a comment names, for the whole file or for a variable of JavaScript. */
function moveComment(source: Source, comment: Comment): void {
  const pattern = /^\/\s*<reference\s+types="([^"]+)"|\bimport\(["']([^"']+)["']\)/dg
  for (const { 1: types, 2: imported, indices } of comment.value.matchAll(pattern)) {
    const target = targetOf(types ?? imported ?? '')
    const [start, end] = indices?.[types === undefined ? 2 : 1] ?? [0, 0]
    // Two characters begin a comment.
    const at = startOf(comment) + 2
    if (target && 'to' in target) source.edit(at + start, at + end, target.to)
  }
}

/** What `const { name } = require(module)` takes, and the module has otherwise. */
function leaveRequired(source: Source, call: Node | undefined, module: string): void {
  if (call?.type !== 'CallExpression') return
  for (const { node } of source.nodes) {
    if (node.type !== 'VariableDeclarator' || node.init !== call) continue
    if (node.id.type !== 'ObjectPattern') continue
    for (const property of node.id.properties) {
      const name =
        property.type === 'ObjectProperty' && property.key.type === 'Identifier'
          ? property.key.name
          : ''
      const change = changeOf(module, name)
      if (change && 'leave' in change) source.leave(property, `\`${name}\`: ${change.leave}`)
    }
  }
}

/** Whether a text is where a module is named. */
export function namesModule(source: Source, { parent, key }: Placed): boolean {
  switch (parent?.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
      return key === 'source'
    case 'TSModuleDeclaration':
    case 'TSExternalModuleReference':
    case 'TSImportType':
      return true
    case 'CallExpression':
      return (
        key === 'arguments' &&
        (parent.callee.type === 'Import' || NAMING.test(source.textOf(parent.callee)))
      )
    default:
      return false
  }
}

function cookieIn(text: string): string | undefined {
  return /^(?:__(?:Secure|Host)-)?next-auth\./.test(text)
    ? `a string contains the cookie \`${text}\`; the cookie of Latchkey is \`${text.replace('next-auth', 'authjs')}\``
    : undefined
}

/** Rewrites the names that one statement takes from a module. */
function moveNames(source: Source, statement: Node | undefined, module: string): void {
  if (statement?.type !== 'ImportDeclaration' && statement?.type !== 'ExportNamedDeclaration')
    return
  const others = new Map<string, string[]>()
  for (const specifier of statement.specifiers) {
    const names = namesOf(specifier)
    const change = names && changeOf(module, names.theirs)
    if (!names || !change || source.dropped.has(specifier)) continue
    if ('leave' in change) {
      source.leave(specifier, `\`${names.theirs}\`: ${change.leave}`)
      continue
    }
    const written = rename(source, specifier, change.name ?? names.theirs)
    if (change.from === undefined) continue
    source.dropped.add(specifier)
    others.set(change.from, [...(others.get(change.from) ?? []), written])
  }
  settle(
    source,
    statement,
    [...others].map(([from, names]) => statementFor(source, statement, names, from)),
  )
}

function statementFor(
  source: Source,
  like: ImportDeclaration | ExportNamedDeclaration,
  names: readonly string[],
  from: string,
): string {
  const [word, kind] =
    like.type === 'ImportDeclaration' ? ['import', like.importKind] : ['export', like.exportKind]
  const type = kind === 'type' ? ' type' : ''
  return `${word}${type} { ${names.join(', ')} } from ${source.quoted(from)}${source.semicolon}`
}

/** Takes the dropped names out of a statement, gives it the default import that it needs, and lines after it. */
function settle(
  source: Source,
  statement: ImportDeclaration | ExportNamedDeclaration,
  lines: readonly string[],
): void {
  const specifiers: readonly Node[] = statement.specifiers
  const wanted = source.defaults.get(statement)
  const named = specifiers.filter(
    ({ type }) => type === 'ImportSpecifier' || type === 'ExportSpecifier',
  )
  const [first, last] = [named[0], named.at(-1)]
  if (specifiers.length > 0 && !wanted && specifiers.every((node) => source.dropped.has(node))) {
    if (lines.length > 0) source.replace(statement, lines.join('\n'))
    else source.removeStatement(statement)
    return
  }
  if (lines.length > 0) source.insert(endOf(statement), `\n${lines.join('\n')}`)
  if (!first || !last) return
  const open = source.text.lastIndexOf('{', startOf(first))
  const close = source.text.indexOf('}', endOf(last)) + 1
  if (named.every((node) => source.dropped.has(node))) {
    const before = specifiers[0]
    if (wanted !== undefined) source.edit(open, close, wanted)
    else if (before?.type === 'ImportDefaultSpecifier') source.edit(endOf(before), close, '')
    return
  }
  if (wanted !== undefined) source.insert(open, `${wanted}, `)
  if (named.some((node) => source.dropped.has(node))) source.removeFrom(named, source.dropped)
}

interface Names {
  readonly theirs: string
  readonly ours: string
}

function namesOf(node: Node): Names | undefined {
  if (node.type === 'ImportSpecifier') return { theirs: importedName(node), ours: node.local.name }
  if (node.type === 'ExportSpecifier') return { theirs: node.local.name, ours: exportedName(node) }
  return undefined
}

export function importedName({ imported }: ImportSpecifier): string {
  return imported.type === 'Identifier' ? imported.name : imported.value
}

export function exportedName({ exported }: ExportSpecifier): string {
  return exported.type === 'Identifier' ? exported.name : exported.value
}

/** Gives a name of an import another one, in the whole file where that is free, and returns how it is imported. */
function rename(source: Source, specifier: Node, name: string): string {
  const { theirs, ours } = namesOf(specifier) ?? { theirs: name, ours: name }
  const text = source.textOf(specifier)
  if (theirs === name) return text
  const type = /^type\s/.test(text) ? 'type ' : ''
  const free = specifier.type === 'ImportSpecifier' && ours === theirs && isFree(source, name)
  const written = free ? `${type}${name}` : `${type}${name} as ${ours}`
  source.replace(specifier, written)
  if (free)
    for (const { node, parent } of source.references(ours))
      if (parent !== specifier) source.replace(node, name)
  return written
}

export function isFree(source: Source, name: string): boolean {
  return source.references(name).length === 0
}

/** The import by which a file has a name. */
export function importOf(
  source: Source,
  local: string,
):
  | { statement: ImportDeclaration; specifier: ImportDeclaration['specifiers'][number] }
  | undefined {
  for (const statement of source.body) {
    if (statement.type !== 'ImportDeclaration') continue
    const specifier = statement.specifiers.find((each) => each.local.name === local)
    if (specifier) return { statement, specifier }
  }
  return undefined
}
