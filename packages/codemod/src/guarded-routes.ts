import type { Source } from './source.ts'

const METHOD = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/

/** Whether a file configures next-auth with the callback `authorized`. */
export function hasAuthorized(source: Source): boolean {
  const configures = source.body.some(
    (statement) => statement.type === 'ImportDeclaration' && statement.source.value === 'next-auth',
  )
  return (
    configures &&
    source.nodes.some(
      ({ node }) =>
        (node.type === 'ObjectProperty' || node.type === 'ObjectMethod') &&
        node.key.type === 'Identifier' &&
        node.key.name === 'authorized',
    )
  )
}

/** Leaves routes in `auth(…)` to a person: where `authorized` refuses, the handler does not run. */
export function leaveGuardedRoutes(source: Source): void {
  for (const statement of source.body) {
    if (statement.type !== 'ExportNamedDeclaration') continue
    if (statement.declaration?.type !== 'VariableDeclaration') continue
    for (const { id, init } of statement.declaration.declarations) {
      if (id.type !== 'Identifier' || !METHOD.test(id.name)) continue
      if (init?.type !== 'CallExpression' || init.callee.type !== 'Identifier') continue
      if (init.callee.name !== 'auth') continue
      source.leave(
        id,
        `the handler of \`${id.name}\` now runs only if \`authorized\` allows the request; if it decides itself, call \`await auth()\` in it instead`,
      )
    }
  }
}
