import type { Node } from '@babel/types'
import { endOf, memberOf, type Source, startOf } from './source.ts'

const NOW: Readonly<Record<string, string>> = {
  authorize:
    'version 4 showed the message of this error as `error`; it is now `Configuration`. Throw a `CredentialsSignin` with a `code`',
  signIn:
    'version 4 showed the message of this error as `error`; it is now `AccessDenied`. Return the path of a page that explains it',
}

const GUIDE = ' (docs/how-to/move-from-next-auth-4.md#errors-of-a-sign-in)'

/** Names each `throw` of a function whose messages version 4 showed; where the function is elsewhere, its property. */
export function leaveThrows(source: Source, owner: Node, name: 'authorize' | 'signIn'): void {
  if (owner.type !== 'ObjectExpression') return
  const made = memberOf(owner, name)
  if (!made) return
  const text = NOW[name] + GUIDE
  const target = made.type === 'Identifier' ? functionNamed(source, made.name) : made
  if (!target || !/Function|Method/.test(target.type))
    source.leave(made, `\`${name}\`: look for each \`throw\`: ${text}`)
  else
    for (const { node } of source.nodes)
      if (node.type === 'ThrowStatement' && isWithin(node, target)) source.leave(node, text)
}

function functionNamed(source: Source, name: string): Node | undefined {
  for (const { node } of source.nodes) {
    if (node.type === 'FunctionDeclaration' && node.id?.name === name) return node
    if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier') continue
    if (node.id.name === name && node.init) return node.init
  }
  return undefined
}

function isWithin(node: Node, outer: Node): boolean {
  return startOf(outer) <= startOf(node) && endOf(node) <= endOf(outer)
}
