import { parseExpression } from '@babel/parser'
import type { Node, ObjectExpression, ObjectProperty } from '@babel/types'
import { entryOf, LATCHKEY_RANGE, RENAMED_ADAPTERS, REPLACED } from './modules.ts'
import type { Note } from './notes.ts'
import { because, type User } from './users.ts'

const LISTS: readonly string[] = [
  'dependencies',
  'devDependencies',
  'peerDependencies',
  'optionalDependencies',
]

const PASSKEYS = '@simplewebauthn/server'

/** Returns the major version of a package that a package.json asks for, if it says one. */
export function majorIn(text: string, name: string): number | undefined {
  const root = JSON.parse(text) as Record<string, Record<string, string> | undefined>
  const range = LISTS.map((list) => entryOf(root[list] ?? {}, name)).find(Boolean)
  const major = majorOf(range ?? '')
  return Number.isNaN(major) ? undefined : major
}

function majorOf(range: string): number {
  return Number(/\d+/.exec(range)?.[0])
}

/** Exchanges the packages of Auth.js in a package.json, line by line. Packages that others use stay. */
export function moveManifest(
  path: string,
  text: string,
  users: readonly User[] = [],
): { text: string; notes: Note[] } {
  const root = parseExpression(text)
  const notes: Note[] = []
  const note = (node: Node, text: string): void =>
    void notes.push({ path, line: node.loc?.start.line ?? 1, text })
  const edits: [start: number, end: number, text: string][] = []
  const isLeft = users.some(({ isAdapter }) => !isAdapter)
  for (const { key, value } of membersOf(root)) {
    if (!LISTS.includes(key)) {
      const found = deepMembersOf(value).filter((each) => REPLACED.includes(each.key) && !isLeft)
      for (const { key: name, node } of found)
        note(node, `\`${key}\` contains \`${name}\`; remove it`)
      continue
    }
    const members = membersOf(value)
    for (const { key: name, node } of members) {
      const user = isMoved(name) && userOf(name, users)
      if (user) note(node, `\`${name}\` stays, ${because(user)}`)
    }
    if (isLeft) continue
    edits.push(...exchange(members, (name) => userOf(name, users) !== undefined))
    for (const { key: name, value: range, node } of members) {
      const problem = range.type === 'StringLiteral' && tooOld(name, majorOf(range.value))
      if (problem) note(node, problem)
    }
  }
  let result = text
  for (const [start, end, replacement] of edits.toSorted((one, other) => other[0] - one[0]))
    result = result.slice(0, start) + replacement + result.slice(end)
  return { text: result, notes }
}

/** Why a version of a package that stays does not do. */
function tooOld(name: string, major: number): string | undefined {
  if (name === PASSKEYS)
    return major < 11
      ? `\`${PASSKEYS}\` is too old for passkeys; Latchkey needs 11 or later`
      : undefined
  const [, range] = Object.values(RENAMED_ADAPTERS).find(([adapter]) => adapter === name) ?? []
  return range !== undefined && major < majorOf(range)
    ? `\`${name}\` ${major} was not tried with Latchkey; update it to \`${range}\``
    : undefined
}

function isMoved(name: string): boolean {
  return REPLACED.includes(name) || Object.hasOwn(RENAMED_ADAPTERS, name)
}

/** The user because of which a package stays: of the package itself, or of the whole application. */
function userOf(name: string, users: readonly User[]): User | undefined {
  return users.find((user) => !user.isAdapter || user.uses === name)
}

function exchange(
  members: readonly Member[],
  stays: (name: string) => boolean,
): [number, number, string][] {
  const edits: [number, number, string][] = []
  const has = (name: string): boolean => members.some(({ key }) => key === name)
  let isThere = has('latchkey')
  const gone = new Set<Member>()
  for (const member of members) {
    if (stays(member.key)) {
      if (!isThere)
        edits.push([end(member), end(member), `,${gapOf(members)}"latchkey": "${LATCHKEY_RANGE}"`])
      isThere = true
      continue
    }
    const [name, range] = entryOf(RENAMED_ADAPTERS, member.key) ?? []
    if (name !== undefined) {
      if (has(name)) gone.add(member)
      else edits.push([start(member), end(member), `"${name}": "${range}"`])
    } else if (REPLACED.includes(member.key)) {
      if (isThere) gone.add(member)
      else edits.push([start(member), end(member), `"latchkey": "${LATCHKEY_RANGE}"`])
      isThere = true
    }
  }
  const last = members.findLastIndex((member) => !gone.has(member))
  for (const [index, member] of members.entries()) {
    if (!gone.has(member)) continue
    const [before, after] = [members[index - 1], members[index + 1]]
    if (index < last && after) edits.push([start(member), start(after), ''])
    else if (before) edits.push([end(before), end(member), ''])
    else edits.push([start(member), end(member), ''])
  }
  return edits
}

/** What is between two members: a new line with its indent, or a space. */
function gapOf([first, second]: readonly Member[]): string {
  const { line, column } = first?.node.loc?.start ?? { line: 0, column: 0 }
  const isOneLine = second?.node.loc?.start.line === line
  return isOneLine ? ' ' : `\n${' '.repeat(column)}`
}

interface Member {
  readonly key: string
  readonly node: ObjectProperty
  readonly value: Node
}

function membersOf(node: Node): Member[] {
  if (node.type !== 'ObjectExpression') return []
  return (node satisfies ObjectExpression).properties.flatMap((property) =>
    property.type === 'ObjectProperty' && property.key.type === 'StringLiteral'
      ? [{ key: property.key.value, node: property, value: property.value }]
      : [],
  )
}

function deepMembersOf(node: Node): Member[] {
  return membersOf(node).flatMap((member) => [member, ...deepMembersOf(member.value)])
}

function start({ node }: Member): number {
  return node.start ?? 0
}

function end({ node }: Member): number {
  return node.end ?? 0
}
