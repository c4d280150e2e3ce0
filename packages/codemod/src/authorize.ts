import type { BlockStatement, Identifier, Node, ObjectExpression } from '@babel/types'
import { importOf, isFree } from './imports.ts'
import { endOf, type FunctionNode, isFunction, memberOf, type Source, startOf } from './source.ts'
import { leaveThrows } from './throws.ts'

/** The functions that version 4 gave texts and a request of its own: `authorize` of its credentials providers. */
export function moveAuthorize(source: Source): void {
  for (const { node } of source.nodes) {
    if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') continue
    const from = importOf(source, node.callee.name)?.statement.source.value
    const [options] = node.arguments
    if (from !== 'next-auth/providers/credentials' || options?.type !== 'ObjectExpression') continue
    leaveThrows(source, options, 'authorize')
    const authorize = memberOf(options, 'authorize')
    if (isFunction(authorize)) moveParameters(source, authorize, options)
  }
}

function moveParameters(source: Source, authorize: FunctionNode, options: ObjectExpression): void {
  const [fields, request] = authorize.params
  if (request && !isUnused(source, request))
    source.leave(
      request,
      '`authorize` receives a standard `Request`, without `body` and `query`; read headers with `headers.get(…)`',
    )
  if (!fields || !/\.[cm]?tsx?$/.test(source.path)) return
  const { body } = authorize
  if (fields.type !== 'Identifier' || body.type !== 'BlockStatement')
    source.leave(
      fields,
      '`authorize` receives the fields as they were sent; a field may not be a string',
    )
  else if (!fields.typeAnnotation) giveType(source, fields, body, namesIn(source, options))
}

/** Renames the parameter, and declares the fields with their type in the first line. */
function giveType(source: Source, fields: Identifier, body: BlockStatement, names: string): void {
  const given = isFree(source, 'given') ? 'given' : 'sent'
  const [first] = body.body
  const [indent = ' '] = first
    ? (/\n[ \t]*$/.exec(source.text.slice(0, startOf(first.leadingComments?.[0] ?? first))) ?? [])
    : []
  source.replace(fields, given)
  source.insert(
    startOf(body) + 1,
    `${indent}const ${fields.name} = ${given} as Record<${names}, string>${source.semicolon}`,
  )
}

/** The type of the names of fields. */
function namesIn(source: Source, options: ObjectExpression): string {
  const fields = memberOf(options, 'credentials')
  if (fields?.type !== 'ObjectExpression') return 'string'
  const names = fields.properties.map((property) =>
    property.type === 'ObjectProperty' && property.key.type === 'Identifier' && !property.computed
      ? source.quoted(property.key.name)
      : 'string',
  )
  return names.length === 0 ? 'string' : names.join(' | ')
}

function isUnused(source: Source, parameter: Node): boolean {
  return (
    parameter.type === 'Identifier' &&
    source
      .references(parameter.name)
      .every(({ node }) => startOf(node) === startOf(parameter) || endOf(node) < startOf(parameter))
  )
}
