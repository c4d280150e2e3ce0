import type { CallExpression, Node } from '@babel/types'
import { importedName, importOf } from './imports.ts'
import { memberOf, type Source } from './source.ts'

const CHECK =
  '`getToken`: set `AUTH_URL`, or `secureCookie: true` here, if the site uses https (docs/how-to/move-from-next-auth-4.md#gettoken)'

/**
 * Gives each `getToken` of version 4 the secret, which it took from the environment, and lets it read tokens of version 4.
 *
 * @param secret the expression of the secret.
 */
export function moveTokens(source: Source, secret: string): void {
  for (const { node } of source.nodes) {
    if (node.type !== 'CallExpression' || jwtFunctionOf(source, node) !== 'getToken') continue
    const [params] = node.arguments
    source.leave(node, CHECK)
    if (params?.type !== 'ObjectExpression') {
      source.leave(
        node,
        "`getToken` needs `secret`, and `acceptSessionsFrom: ['next-auth@4']` for tokens of version 4",
      )
      continue
    }
    const isOpen = params.properties.some(({ type }) => type === 'SpreadElement')
    const accepted = `acceptSessionsFrom: [${source.quoted('next-auth@4')}]`
    const added = [
      memberOf(params, 'secret') || isOpen ? [] : `secret: ${secret}`,
      memberOf(params, 'acceptSessionsFrom') ? [] : accepted,
    ].flat()
    source.addProperties(params, added)
  }
}

/** The name of the function of `next-auth/jwt` that a call means: by an import, or as a member of the module. */
export function jwtFunctionOf(source: Source, { callee }: CallExpression): string | undefined {
  if (callee.type === 'Identifier') {
    const imported = importOf(source, callee.name)
    if (imported?.statement.source.value === 'next-auth/jwt')
      return imported.specifier.type === 'ImportSpecifier'
        ? importedName(imported.specifier)
        : undefined
    return imported ? undefined : requiredName(source, callee.name)
  }
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return undefined
  const { object, property } = callee
  const isModule =
    object.type === 'Identifier'
      ? importOf(source, object.name)?.statement.source.value === 'next-auth/jwt' ||
        source.nodes.some(
          ({ node }) =>
            node.type === 'VariableDeclarator' &&
            node.id.type === 'Identifier' &&
            node.id.name === object.name &&
            isRequired(source, node.init),
        )
      : isRequired(source, object)
  return isModule ? property.name : undefined
}

/** What `const { getToken: name } = require('next-auth/jwt')` calls by this name. */
function requiredName(source: Source, local: string): string | undefined {
  for (const { node } of source.nodes) {
    if (node.type !== 'VariableDeclarator' || node.id.type !== 'ObjectPattern') continue
    if (!isRequired(source, node.init)) continue
    for (const property of node.id.properties)
      if (
        property.type === 'ObjectProperty' &&
        property.key.type === 'Identifier' &&
        property.value.type === 'Identifier' &&
        property.value.name === local
      )
        return property.key.name
  }
  return undefined
}

/** Whether a value is the module, by `require` or an awaited `import`. */
function isRequired(source: Source, node: Node | null | undefined): boolean {
  if (node?.type === 'AwaitExpression') return isRequired(source, node.argument)
  return (
    node?.type === 'CallExpression' &&
    /^(?:require|import)$/.test(source.textOf(node.callee)) &&
    node.arguments[0]?.type === 'StringLiteral' &&
    node.arguments[0].value === 'next-auth/jwt'
  )
}
