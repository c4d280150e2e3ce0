import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'rolldown/parseAst'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

/** A node of a syntax tree, as far as it is read here. */
interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly key?: { readonly name?: string }
  readonly value?: { readonly params?: readonly { readonly type: string }[] }
}

/** Returns the `session` callbacks of a page, as source text. */
function sessionCallbacks(page: string): string[] {
  const blocks = readFileSync(page, 'utf8').matchAll(/^( *)```(?:ts|js)\n([^]*?)^\1```/gm)
  return [...blocks].flatMap(([, , code = '']) => {
    if (!/\bsession(: )?\(\{/.test(code)) return []
    const plain = stripTypeScriptTypes(code)
    const found: string[] = []
    visit(parseAst(plain), (node) => {
      const isCallback =
        node.type === 'Property' &&
        node.key?.name === 'session' &&
        node.value?.params?.[0]?.type === 'ObjectPattern'
      if (isCallback) found.push(plain.slice(node.start, node.end))
    })
    return found
  })
}

function visit(node: Node, look: (node: Node) => void): void {
  look(node)
  for (const child of Object.values(node)) {
    const children: unknown[] = Array.isArray(child) ? child : [child]
    for (const each of children)
      if (typeof each === 'object' && each !== null && 'type' in each) visit(each as Node, look)
  }
}

const documented = globSync('{docs/**,packages/*}/*.md', { cwd: root }).flatMap((page) =>
  sessionCallbacks(`${root}${page}`).map((source) => [page, source] as const),
)

test('SEC-28: the documentation has session callbacks to check', () => {
  expect(documented.map(([page]) => page)).toEqual(
    expect.arrayContaining(['docs/how-to/give-users-roles.md', 'docs/reference/configuration.md']),
  )
})

test.each(documented)(
  'SEC-28: a session callback in %s sends neither the key of the session nor the whole user: %s',
  async (_, source) => {
    const user = {
      id: 'u1',
      name: 'Ada',
      email: 'ada@example.com',
      image: null,
      role: 'editor',
      emailVerified: new Date(0),
      passwordHash: '$argon2id$…',
    }
    const expires = new Date(0)
    const isSealed = /\btoken\b/.test(source)
    const { name, email, image } = user
    const params = isSealed
      ? {
          session: { user: { name, email, image }, expires: expires.toISOString() },
          token: { sub: 'u1', role: 'editor', passwordHash: user.passwordHash },
        }
      : { session: { sessionToken: 'key', userId: 'u1', expires, user: { ...user } }, user }
    const code = encodeURIComponent(`export const callbacks = { ${source} }`)
    const { callbacks } = (await import(/* @vite-ignore */ `data:text/javascript,${code}`)) as {
      callbacks: { session(given: unknown): unknown }
    }
    const sent = JSON.stringify(await callbacks.session(params))
    expect(sent).toContain('Ada')
    for (const name of ['sessionToken', 'emailVerified', 'passwordHash'])
      expect(sent).not.toContain(name)
  },
)
