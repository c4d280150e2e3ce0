/** The members of option types, as the library's sources declare them. */
import { posix } from 'node:path'
import type { ESTree, ParseResult } from 'rolldown/utils'
import { parseSource } from './syntax.ts'

/** A member of an option type. */
export interface Option {
  readonly name: string
  readonly isRequired: boolean
  /** The text of the docstring, without its frame. Empty if there is none. */
  readonly docstring: string
  /** The texts that the type allows, `refuse` and `clear` for example. */
  readonly values: readonly string[]
  readonly type: Typed
}

/** A type and the file in which it is written. */
interface Typed {
  readonly node: ESTree.TSType
  readonly file: File
}

type Declared = ESTree.TSInterfaceDeclaration | ESTree.TSTypeAliasDeclaration

interface File {
  readonly path: string
  readonly source: string
  readonly docstrings: ParseResult['comments']
  readonly declared: ReadonlyMap<string, Declared>
  /** Names that come from another file: its path, and the name there. */
  readonly imported: ReadonlyMap<string, readonly [path: string, name: string]>
}

/** Types that change only whether members are there and may be written. */
const MODIFIERS: ReadonlySet<string> = new Set(['Partial', 'Readonly', 'NonNullable'])

/** Finds option types by their names. */
export class OptionTypes {
  readonly #sources: ReadonlyMap<string, string>
  readonly #files = new Map<string, File>()

  /** @param sources the text of each file, by its path. */
  constructor(sources: ReadonlyMap<string, string>) {
    this.#sources = sources
  }

  /**
   * Returns the members of an exported type in the order of the source.
   *
   * @param path the end of the file's path; needed if several files export the name.
   * @throws if no file, or more than one, exports the name.
   */
  optionsOf(name: string, path = ''): Option[] {
    const exports = new RegExp(`^export (?:interface|type) ${name}\\b`, 'm')
    const found = [...this.#sources].filter(
      ([file, source]) => file.endsWith(path) && exports.test(source),
    )
    const [first, second] = found
    if (!first) throw new Error(`no file exports the type ${name}`)
    if (second)
      throw new Error(`${found.map(([file]) => file).join(' and ')} export ${name}: add \`from\``)
    return this.#declared(this.#file(first[0]), name)
  }

  /**
   * Returns the members of the object that an option accepts.
   *
   * @throws if the option accepts none, or several.
   */
  within({ name, type }: Option): Option[] {
    const objects = this.#objectsIn(type)
    const [first, second] = objects
    if (!first || second)
      throw new Error(`${name} accepts ${objects.length} kinds of objects instead of one`)
    return this.#members(first)
  }

  #declared(file: File, name: string): Option[] {
    const [owner, declaration] = this.#find(file, name)
    if (declaration.type === 'TSTypeAliasDeclaration')
      return this.#members({ node: declaration.typeAnnotation, file: owner })
    const inherited = declaration.extends.flatMap(({ expression }) =>
      expression.type === 'Identifier' ? this.#declared(owner, expression.name) : [],
    )
    return merged(inherited, this.#listed(declaration.body.body, declaration.body.start, owner))
  }

  #members({ node, file }: Typed): Option[] {
    switch (node.type) {
      case 'TSTypeLiteral':
        return this.#listed(node.members, node.start, file)
      case 'TSParenthesizedType':
        return this.#members({ node: node.typeAnnotation, file })
      case 'TSIntersectionType':
        return node.types
          .map((part) => this.#members({ node: part, file }))
          .reduce((all, part) => merged(all, part), [])
      case 'TSTypeReference':
        return this.#referenced(node, file)
      default:
        throw new Error(`${file.path}: ${node.type} has no members`)
    }
  }

  #referenced(node: ESTree.TSTypeReference, file: File): Option[] {
    const name = nameOf(node)
    const [first, second] = node.typeArguments?.params ?? []
    if (!first || (!MODIFIERS.has(name) && name !== 'Omit')) return this.#declared(file, name)
    const members = this.#members({ node: first, file })
    if (name === 'Partial') return members.map((member) => ({ ...member, isRequired: false }))
    if (name !== 'Omit' || !second) return members
    const omitted = keysIn(second)
    return members.filter((member) => !omitted.includes(member.name))
  }

  #listed(members: readonly ESTree.TSSignature[], start: number, file: File): Option[] {
    let before = start
    return members.flatMap((member) => {
      const from = before
      before = member.end
      if (member.type !== 'TSPropertySignature' && member.type !== 'TSMethodSignature') return []
      const key = file.source.slice(member.key.start, member.key.end)
      const node =
        member.type === 'TSPropertySignature' ? member.typeAnnotation?.typeAnnotation : undefined
      const type: Typed = { node: node ?? NOTHING, file }
      const comment = file.docstrings.findLast(
        (each) => each.start >= from && each.end <= member.start,
      )
      return {
        name: member.computed ? `[${key}]` : key.replaceAll(/^['"]|['"]$/g, ''),
        isRequired: !member.optional,
        docstring: comment ? textOf(comment.value) : '',
        values: this.#valuesIn(type),
        type,
      }
    })
  }

  /** The alternatives of a type, wherever they are written. */
  #alternatives({ node, file }: Typed): Typed[] {
    switch (node.type) {
      case 'TSUnionType':
        return node.types.flatMap((part) => this.#alternatives({ node: part, file }))
      case 'TSParenthesizedType':
        return this.#alternatives({ node: node.typeAnnotation, file })
      case 'TSTypeReference': {
        if (MODIFIERS.has(nameOf(node))) return [{ node, file }]
        const found = this.#lookup(file, nameOf(node))
        if (found?.[1].type !== 'TSTypeAliasDeclaration') return found ? [{ node, file }] : []
        return this.#alternatives({ node: found[1].typeAnnotation, file: found[0] })
      }
      default:
        return [{ node, file }]
    }
  }

  #objectsIn(type: Typed): Typed[] {
    return this.#alternatives(type).filter(
      ({ node }) => node.type === 'TSTypeLiteral' || node.type === 'TSTypeReference',
    )
  }

  #valuesIn(type: Typed): string[] {
    return this.#alternatives(type).flatMap(({ node, file }) => {
      if (node.type === 'TSLiteralType' && node.literal.type === 'Literal')
        return typeof node.literal.value === 'string' ? [node.literal.value] : []
      if (node.type === 'TSTypeOperator') return this.#valuesIn({ node: node.typeAnnotation, file })
      return node.type === 'TSArrayType' ? this.#valuesIn({ node: node.elementType, file }) : []
    })
  }

  #find(file: File, name: string): readonly [File, Declared] {
    const found = this.#lookup(file, name)
    if (!found) throw new Error(`${file.path} names ${name}, which is not a type of the library`)
    return found
  }

  #lookup(file: File, name: string): readonly [File, Declared] | undefined {
    const declaration = file.declared.get(name)
    if (declaration) return [file, declaration]
    const [path, original] = file.imported.get(name) ?? []
    if (path === undefined || original === undefined || !this.#sources.has(path)) return undefined
    return this.#lookup(this.#file(path), original)
  }

  #file(path: string): File {
    const file = this.#files.get(path) ?? parsed(path, this.#sources.get(path) ?? '')
    this.#files.set(path, file)
    return file
  }
}

const NOTHING = { type: 'TSAnyKeyword', start: 0, end: 0 } as ESTree.TSType

/** Later members replace earlier ones with the same name, in their place. */
function merged(earlier: readonly Option[], later: readonly Option[]): Option[] {
  return [...new Map([...earlier, ...later].map((option) => [option.name, option])).values()]
}

function nameOf({ typeName }: ESTree.TSTypeReference): string {
  return typeName.type === 'Identifier' ? typeName.name : ''
}

/** The member names in the second argument of `Omit`. */
function keysIn(node: ESTree.TSType): string[] {
  if (node.type === 'TSUnionType') return node.types.flatMap(keysIn)
  if (node.type === 'TSLiteralType' && node.literal.type === 'Literal')
    return [String(node.literal.value)]
  if (node.type === 'TSTypeQuery' && node.exprName.type === 'Identifier')
    return [`[${node.exprName.name}]`]
  return []
}

function textOf(comment: string): string {
  return comment
    .slice(1)
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''))
    .join('\n')
    .trim()
}

function parsed(path: string, source: string): File {
  const { program, comments } = parseSource(path, source)
  const declared = new Map<string, Declared>()
  const imported = new Map<string, readonly [string, string]>()
  for (const statement of program.body) {
    const node =
      statement.type === 'ExportNamedDeclaration' && statement.declaration
        ? statement.declaration
        : statement
    if (node.type === 'TSInterfaceDeclaration' || node.type === 'TSTypeAliasDeclaration')
      declared.set(node.id.name, node)
    if (node.type === 'ImportDeclaration')
      for (const each of node.specifiers)
        if (each.type === 'ImportSpecifier' && each.imported.type === 'Identifier')
          imported.set(each.local.name, [beside(path, node.source.value), each.imported.name])
  }
  const docstrings = comments.filter(({ type, value }) => type === 'Block' && value.startsWith('*'))
  return { path, source, docstrings, declared, imported }
}

function beside(path: string, specifier: string): string {
  return posix.join(posix.dirname(path), specifier)
}
