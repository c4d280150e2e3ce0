import { posix } from 'node:path'
import { parseExpression } from '@babel/parser'
import type { Node } from '@babel/types'
import { majorIn } from './manifest.ts'
import { Source } from './source.ts'

const EXTENSIONS = ['', '.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs']

const CODE = /\.(?:[cm]?[jt]sx?|svelte|vue|astro)$/

/** `@/*` of a tsconfig.json: what specifiers begin with, and the folder that it stands for. */
interface Alias {
  readonly prefix: string
  readonly folder: string
  /** The folder of the tsconfig.json. */
  readonly root: string
}

/** The files of an application, by their paths from its folder, with slashes. */
export class Project {
  readonly files: ReadonlyMap<string, string>
  readonly sources: ReadonlyMap<string, Source>
  /** Files that stay as they are, because of another package. */
  readonly left: readonly Source[]
  /** Files that could not be read, with the reason. */
  readonly unreadable: ReadonlyMap<string, string>
  readonly #aliases: readonly Alias[]

  constructor(files: ReadonlyMap<string, string>, isLeft: (path: string) => boolean) {
    this.files = files
    const sources = new Map<string, Source>()
    const left: Source[] = []
    const unreadable = new Map<string, string>()
    for (const [path, text] of files) {
      if (!CODE.test(path) || !/auth|latchkey/i.test(text)) continue
      try {
        const source = new Source(path, text)
        if (isLeft(path)) left.push(source)
        else sources.set(path, source)
      } catch (error) {
        unreadable.set(path, error instanceof Error ? error.message : String(error))
      }
    }
    this.sources = sources
    this.left = left
    this.unreadable = unreadable
    this.#aliases = [...files]
      .filter(([path]) => /(?:^|\/)[jt]sconfig(?:\.\w+)?\.json$/.test(path))
      .flatMap(([path, text]) => aliasesIn(path, text))
  }

  /** The file that a specifier means, if it is one of the application. */
  resolve(from: string, specifier: string): string | undefined {
    const bases = specifier.startsWith('.')
      ? [posix.join(posix.dirname(from), specifier)]
      : this.#aliases
          .filter(({ prefix, root }) => specifier.startsWith(prefix) && isBelow(from, root))
          .map(({ prefix, folder }) => posix.join(folder, specifier.slice(prefix.length)))
    for (const base of bases)
      for (const candidate of [base, base.replace(/\.[cm]?js$/, '')])
        for (const start of [candidate, posix.join(candidate, 'index')])
          for (const extension of EXTENSIONS)
            if (CODE.test(start + extension) && this.files.has(start + extension))
              return start + extension
    return undefined
  }

  /** How `from` names `to`: like the specifier that it has, by an alias if there is one. */
  specifierFor(from: string, to: string, like?: string): string {
    const target = to.replace(/(?:\/index)?\.[cm]?[jt]sx?$/, '')
    const extension = like !== undefined && /\.[cm]?[jt]sx?$/.test(like) ? posix.extname(like) : ''
    const alias =
      like?.startsWith('.') === true
        ? undefined
        : this.#aliases.find(({ folder, root }) => isBelow(target, folder) && isBelow(from, root))
    if (alias) return alias.prefix + posix.relative(alias.folder, target) + extension
    const path = posix.relative(posix.dirname(from), target)
    return (path.startsWith('.') ? path : `./${path}`) + extension
  }

  /** The major version of a package that a file is written for, by the nearest package.json that says. */
  majorOf(path: string, name: string): number | undefined {
    for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
      const text = this.files.get(posix.join(folder, 'package.json'))
      const major = text === undefined ? undefined : majorIn(text, name)
      if (major !== undefined || folder === '.') return major
    }
  }
}

function isBelow(path: string, folder: string): boolean {
  return folder === '.' || path.startsWith(`${folder}/`)
}

function aliasesIn(path: string, text: string): Alias[] {
  let root: Node
  try {
    root = parseExpression(text, { errorRecovery: true })
  } catch {
    return []
  }
  const options = member(root, 'compilerOptions')
  const baseUrl = member(options, 'baseUrl')
  const base = posix.join(
    posix.dirname(path),
    baseUrl?.type === 'StringLiteral' ? baseUrl.value : '.',
  )
  const paths = member(options, 'paths')
  if (paths?.type !== 'ObjectExpression') return []
  return paths.properties.flatMap((property) => {
    if (property.type !== 'ObjectProperty' || property.key.type !== 'StringLiteral') return []
    const [target] = property.value.type === 'ArrayExpression' ? property.value.elements : []
    if (target?.type !== 'StringLiteral' || !property.key.value.endsWith('/*')) return []
    return {
      prefix: property.key.value.slice(0, -1),
      folder: posix.join(base, target.value.replace(/\*$/, '')).replace(/(.)\/$/, '$1'),
      root: posix.dirname(path),
    }
  })
}

function member(node: Node | undefined, name: string): Node | undefined {
  if (node?.type !== 'ObjectExpression') return undefined
  for (const property of node.properties)
    if (
      property.type === 'ObjectProperty' &&
      property.key.type === 'StringLiteral' &&
      property.key.value === name
    )
      return property.value
  return undefined
}
