import { type ParserPlugin, parse } from '@babel/parser'
import type {
  ArrowFunctionExpression,
  File,
  FunctionExpression,
  Identifier,
  JSXIdentifier,
  Node,
  ObjectExpression,
  ObjectMethod,
  Statement,
} from '@babel/types'

/** A node, with what it stands in. */
export interface Placed<T extends Node = Node> {
  readonly node: T
  readonly parent: Node | undefined
  /** The member of the parent that has it. */
  readonly key: string
}

interface Left {
  readonly at: number
  readonly text: string
}

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** A file of the application: its text, what it means, and what is to change in it. */
export class Source {
  readonly path: string
  readonly text: string
  readonly file: File
  readonly nodes: readonly Placed[]
  /** Names of imports that are not needed any more. */
  readonly dropped: Set<Node> = new Set()
  /** Default imports that are needed, by the import that gets them. */
  readonly defaults: Map<Node, string> = new Map()
  readonly #edits: Edit[] = []
  readonly #left: Left[] = []

  /** @throws {SyntaxError} when it cannot be read. */
  constructor(path: string, text: string) {
    this.path = path
    this.text = text
    this.file = parse(scriptsOf(path, text), {
      sourceType: 'module',
      errorRecovery: true,
      plugins: pluginsFor(path),
    })
    this.nodes = [...placedIn(this.file.program, undefined, '')]
  }

  get body(): readonly Statement[] {
    return this.file.program.body
  }

  get changed(): boolean {
    return this.#edits.length > 0
  }

  textOf(node: Node): string {
    return this.text.slice(startOf(node), endOf(node))
  }

  /** Leaves something about a node to a person. */
  leave(node: Node, text: string): void {
    this.#left.push({ at: startOf(node), text })
  }

  /** What is left to a person, with the line that it is in after all edits, counted from 1. */
  left(): { line: number; text: string }[] {
    return this.#left.map(({ at, text }) => ({
      line: this.#resultUpTo(at).split('\n').length,
      text,
    }))
  }

  /** Whether a node is in something that was replaced as a whole. */
  isReplaced(node: Node): boolean {
    return this.#edits.some(
      ({ start, end }) => start <= startOf(node) && endOf(node) <= end && start < end,
    )
  }

  replace(node: Node, text: string): void {
    this.edit(startOf(node), endOf(node), text)
  }

  edit(start: number, end: number, text: string): void {
    this.#edits.push({ start, end, text })
  }

  insert(at: number, text: string): void {
    this.edit(at, at, text)
  }

  /** Removes a statement with the comment that is about its line, the line itself, and an empty one beside it. */
  removeStatement(node: Node): void {
    const hint = node.leadingComments?.at(-1)
    const isHint = hint && /^\s*(?:eslint-disable-next-line|@ts-)/.test(hint.value)
    const start = startOf(isHint ? hint : node)
    const [rest = ''] = /^[ ;]*(?:\r?\n)?/.exec(this.text.slice(endOf(node))) ?? []
    const isFirst = start === 0 || /\n\r?\n$/.test(this.text.slice(0, start))
    const after = this.text.slice(endOf(node) + rest.length)
    const [empty = ''] = isFirst ? (/^\r?\n/.exec(after) ?? []) : []
    this.edit(start, endOf(node) + rest.length + empty.length, '')
  }

  /** Adds properties in front of an object's own, each on its line where those are. */
  addProperties(object: ObjectExpression, added: readonly string[]): void {
    const [first] = object.properties
    const start = startOf(object) + 1
    if (!first) return this.edit(start, endOf(object) - 1, ` ${added.join(', ')} `)
    const indent = /\n([ \t]*)$/.exec(
      this.text.slice(0, startOf(first.leadingComments?.[0] ?? first)),
    )?.[1]
    for (const property of added)
      this.insert(start, indent === undefined ? ` ${property},` : `\n${indent}${property},`)
  }

  /** Removes some of a list that commas separate, such as the names of an import. */
  removeFrom(list: readonly Node[], unwanted: ReadonlySet<Node>): void {
    const last = list.findLastIndex((node) => !unwanted.has(node))
    for (const [index, node] of list.entries()) {
      if (!unwanted.has(node)) continue
      const [before, after] = [list[index - 1], list[index + 1]]
      if (index < last && after) this.edit(startOf(node), startOf(after), '')
      else if (before) this.edit(endOf(before), endOf(node), '')
      else this.replace(node, '')
    }
  }

  /** All uses of a name as a variable or a type; names of members are none. */
  references(name: string): Placed<Identifier | JSXIdentifier>[] {
    return this.nodes.filter(
      (placed): placed is Placed<Identifier | JSXIdentifier> =>
        (placed.node.type === 'Identifier' || placed.node.type === 'JSXIdentifier') &&
        placed.node.name === name &&
        !isMemberName(placed),
    )
  }

  /** The text with all edits. What lies within something that was replaced is gone with it. */
  result(): string {
    return this.#resultUpTo(this.text.length)
  }

  #resultUpTo(limit: number): string {
    const edits = this.#edits.toSorted(
      (one, other) => one.start - other.start || other.end - one.end,
    )
    let text = ''
    let done = 0
    for (const edit of edits) {
      if (edit.start < done) continue
      if (edit.start > limit || (edit.start === limit && edit.end > limit)) break
      text += this.text.slice(done, edit.start) + edit.text
      done = edit.end
    }
    return text + this.text.slice(done, Math.max(done, limit))
  }

  /** A text between the quotes that this file uses. */
  quoted(text: string): string {
    const first = this.nodes.find(({ node }) => node.type === 'StringLiteral')
    const mark = first && this.text[startOf(first.node)] === '"' ? '"' : "'"
    return `${mark}${text}${mark}`
  }

  /** What ends a statement here. */
  get semicolon(): string {
    const first = this.body[0]
    return first === undefined || this.textOf(first).endsWith(';') ? ';' : ''
  }
}

/** What an object says under a name: its value, or its method. */
export function memberOf(object: ObjectExpression, name: string): Node | undefined {
  for (const property of object.properties) {
    if (property.type === 'SpreadElement' || property.key.type !== 'Identifier') continue
    if (property.key.name === name)
      return property.type === 'ObjectProperty' ? property.value : property
  }
  return undefined
}

/** A function as the value of a member, or a method. */
export type FunctionNode = ArrowFunctionExpression | FunctionExpression | ObjectMethod

export function isFunction(node: Node | undefined): node is FunctionNode {
  return (
    node?.type === 'ArrowFunctionExpression' ||
    node?.type === 'FunctionExpression' ||
    node?.type === 'ObjectMethod'
  )
}

export function startOf({ start }: { readonly start?: number | null | undefined }): number {
  return start ?? 0
}

export function endOf({ end }: { readonly end?: number | null | undefined }): number {
  return end ?? 0
}

function* placedIn(node: Node, parent: Node | undefined, key: string): Generator<Placed> {
  yield { node, parent, key }
  for (const [name, value] of Object.entries(node))
    for (const child of [value as unknown].flat())
      if (isNode(child, name)) yield* placedIn(child, node, name)
}

function isNode(value: unknown, key: string): value is Node {
  if (/Comments$|^(?:loc|extra|errors|tokens)$/.test(key)) return false
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

function isMemberName({ parent, key }: Placed): boolean {
  switch (parent?.type) {
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return key === 'property' && !parent.computed
    case 'ObjectProperty':
      return key === 'key' && !parent.computed && !parent.shorthand
    case 'ObjectMethod':
    case 'ClassMethod':
    case 'ClassProperty':
    case 'TSPropertySignature':
    case 'TSMethodSignature':
      return key === 'key' && !parent.computed
    case 'ImportSpecifier':
      return key === 'imported'
    case 'ExportSpecifier':
      return key === 'exported'
    case 'TSQualifiedName':
      return key === 'right'
    case 'JSXAttribute':
      return key === 'name'
    default:
      return false
  }
}

function pluginsFor(path: string): ParserPlugin[] {
  const common: ParserPlugin[] = [
    'decorators',
    'decoratorAutoAccessors',
    'explicitResourceManagement',
  ]
  if (path.endsWith('.d.ts')) return [...common, ['typescript', { dts: true }]]
  return /\.(?:[cm]?ts|svelte|vue|astro)$/.test(path)
    ? [...common, 'typescript']
    : [...common, 'typescript', 'jsx']
}

/** What begins a script in a component, and what ends it. */
const SCRIPT = [/<script\b(?:[^>"']|"[^"]*"|'[^']*')*>/y, '</script>'] as const
const FRONTMATTER = [/---\r?\n/y, '\n---'] as const

/** The scripts of a component, each at its place; everything else is blank. */
function scriptsOf(path: string, text: string): string {
  const isAstro = path.endsWith('.astro')
  if (!isAstro && !/\.(?:svelte|vue)$/.test(path)) return text
  const [opening, closing] = isAstro ? FRONTMATTER : SCRIPT
  let script = ''
  for (let at = 0; ; ) {
    opening.lastIndex = text.indexOf(isAstro ? '---' : '<script', at)
    if (opening.lastIndex < 0 || !opening.test(text)) break
    const start = opening.lastIndex
    // Nothing may be between the lines of a frontmatter.
    const end = text.indexOf(closing, start - 1)
    if (end < 0) break
    script += blank(text.slice(script.length, start)) + text.slice(start, end)
    at = end + closing.length
    if (isAstro) break
  }
  return script + blank(text.slice(script.length))
}

function blank(text: string): string {
  return text.replaceAll(/[^\r\n]/g, ' ')
}
