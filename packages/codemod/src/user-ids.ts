import type { Node, ObjectExpression } from '@babel/types'
import { endOf, memberOf, type Source, startOf } from './source.ts'

/** What callbacks make of the id of a user, which version 4 took from the provider if there was no adapter. */
export function leaveUserIds(source: Source, options: ObjectExpression): void {
  const callbacks = memberOf(options, 'callbacks')
  if (callbacks?.type !== 'ObjectExpression') return
  const jwt = memberOf(callbacks, 'jwt')
  const session = memberOf(callbacks, 'session')
  const uses: Node[] = []
  for (const { node } of source.nodes) {
    const text = node.type === 'MemberExpression' ? source.textOf(node) : ''
    const isId = text === 'user.id' && isWithin(node, jwt)
    if (isId || (text === 'token.sub' && isWithin(node, session))) uses.push(node)
  }
  const isOpen = options.properties.some(({ type }) => type === 'SpreadElement')
  const [first] = uses
  if (first && !isOpen && !memberOf(options, 'adapter'))
    source.leave(
      first,
      'without an adapter, `user.id` and `token.sub` change with each sign-in with OAuth; for the id of version 4, use `account.providerAccountId` (docs/how-to/move-from-next-auth-4.md)',
    )
}

function isWithin(node: Node, outer: Node | undefined): boolean {
  return outer !== undefined && startOf(outer) <= startOf(node) && endOf(node) <= endOf(outer)
}
