import type { Node, ObjectExpression, ObjectPattern } from '@babel/types'
import { endOf, isFunction, memberOf, type Source, startOf } from './source.ts'
import type { Setting } from './version-4.ts'

const MODULE = 'next-auth/middleware'

const AUTHORIZED = 'callbacks: { authorized: ({ auth }) => auth !== null }'

/** Rewrites `next-auth/middleware`: `export { default }`, and `withAuth` where it only asks whether there is somebody. */
export function moveMiddleware(source: Source, settings: readonly Setting[]): void {
  // A guard extends sessions, so it must not say less of them than the options do.
  if (!settings.every(({ isPlain }) => isPlain)) return
  const needed = [
    'providers: []',
    'secret: process.env.AUTH_SECRET ?? process.env.NEXTAUTH_SECRET',
    `acceptSessionsFrom: [${source.quoted('next-auth@4')}]`,
    ...settings.map(({ text }) =>
      text
        .split('\n')
        .map((line) => line.trim())
        .join(' '),
    ),
  ]
  const end = source.semicolon
  for (const statement of source.body) {
    if (!('source' in statement) || statement.source?.value !== MODULE) continue
    const nextAuth = `import NextAuth from ${source.quoted('latchkey/next')}${end}`
    if (statement.type === 'ExportNamedDeclaration') {
      const [only] = statement.specifiers
      if (statement.specifiers.length !== 1 || source.textOf(only ?? statement) !== 'default')
        continue
      const members = [...needed, AUTHORIZED].map((member) => `  ${member},\n`).join('')
      source.replace(statement, `${nextAuth}\n\nexport default NextAuth({\n${members}}).auth${end}`)
    } else if (statement.type === 'ImportDeclaration' && statement.specifiers.length === 1) {
      const [specifier] = statement.specifiers
      if (!specifier || !rewriteCall(source, specifier.local.name, specifier, needed)) continue
      source.replace(statement, nextAuth)
    }
  }
}

/** Rewrites `export default withAuth(…)`, if nothing in it needs what is in the token. */
function rewriteCall(
  source: Source,
  name: string,
  specifier: Node,
  needed: readonly string[],
): boolean {
  const uses = source.references(name).filter(({ parent }) => parent !== specifier)
  const exported = source.body.find(({ type }) => type === 'ExportDefaultDeclaration')
  if (uses.length !== 1 || exported?.type !== 'ExportDefaultDeclaration') return false
  const call = exported.declaration
  const guard = `NextAuth({ ${[...needed, AUTHORIZED].join(', ')} }).auth`
  if (call.type === 'Identifier' && call.name === name) {
    source.replace(call, guard)
    return true
  }
  if (call.type !== 'CallExpression' || uses[0]?.parent !== call) return false
  const handler = call.arguments.find(
    ({ type }) => type === 'FunctionExpression' || type === 'ArrowFunctionExpression',
  )
  const options = call.arguments.find(({ type }) => type === 'ObjectExpression')
  if (call.arguments.length !== Number(Boolean(handler)) + Number(Boolean(options))) return false
  if (handler && /\bnextauth\b/.test(source.textOf(handler))) return false
  if (options?.type === 'ObjectExpression' && !isSimple(source, options)) return false
  const around = handler ? `(${source.textOf(handler)})` : ''
  if (options?.type === 'ObjectExpression') rewriteOptions(source, call, options, needed, around)
  else source.replace(call, guard + around)
  return true
}

/** Rewrites a call with options, which stay where they are. @param around the call with the handler, if there is one */
function rewriteOptions(
  source: Source,
  call: Node,
  options: ObjectExpression,
  needed: readonly string[],
  around: string,
): void {
  const has = (member: string): boolean => memberOf(options, member) !== undefined
  const members = needed.filter((text) => !has(text.slice(0, text.indexOf(':'))))
  if (!has('callbacks')) members.push(AUTHORIZED)
  const indent = /\n([ \t]*)$/.exec(
    source.text.slice(0, startOf(options.properties[0] ?? options)),
  )?.[1]
  const space = indent === undefined ? ' ' : `\n${indent}`
  const added = members.map((member) => `${space}${member},`).join('')
  source.edit(startOf(call), startOf(options) + 1, `NextAuth({${added}`)
  source.edit(endOf(options), endOf(call), `).auth${around}`)
  const pattern = patternIn(options)
  for (const property of pattern?.properties ?? []) {
    if (property.type !== 'ObjectProperty' || property.key.type !== 'Identifier') continue
    const key = property.key.name === 'token' ? 'auth' : 'request'
    if (property.shorthand) source.insert(startOf(property), `${key}: `)
    else source.replace(property.key, key)
  }
}

/** Whether `withAuth` is told nothing but where pages are, and whether somebody must be signed in. */
function isSimple(source: Source, options: ObjectExpression): boolean {
  const isKnown = options.properties.every(
    (property) =>
      property.type === 'ObjectProperty' &&
      property.key.type === 'Identifier' &&
      /^(?:pages|secret|callbacks)$/.test(property.key.name),
  )
  const callbacks = memberOf(options, 'callbacks')
  if (!isKnown || !callbacks) return isKnown
  const pattern = patternIn(options)
  if (!pattern || callbacks.type !== 'ObjectExpression' || callbacks.properties.length !== 1)
    return false
  return pattern.properties.every((property) => {
    if (property.type !== 'ObjectProperty' || property.key.type !== 'Identifier') return false
    if (property.value.type !== 'Identifier') return false
    if (property.key.name === 'req') return true
    const { name } = property.value
    return (
      property.key.name === 'token' &&
      source
        .references(name)
        .filter(({ node, parent }) => parent !== property && node !== property.value)
        .every(({ parent }) => asksOnlyWhether(source, parent))
    )
  })
}

function asksOnlyWhether(source: Source, parent: Node | undefined): boolean {
  if (parent?.type === 'UnaryExpression') return parent.operator === '!'
  if (parent?.type === 'CallExpression') return source.textOf(parent.callee) === 'Boolean'
  return parent?.type === 'BinaryExpression' && /\b(?:null|undefined)$/.test(source.textOf(parent))
}

/** The parameter of `callbacks.authorized`. */
function patternIn(options: ObjectExpression): ObjectPattern | undefined {
  const callbacks = memberOf(options, 'callbacks')
  const authorized =
    callbacks?.type === 'ObjectExpression' ? memberOf(callbacks, 'authorized') : undefined
  if (!isFunction(authorized)) return undefined
  const [pattern] = authorized.params
  return authorized.params.length === 1 && pattern?.type === 'ObjectPattern' ? pattern : undefined
}
