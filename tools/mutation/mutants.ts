import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Ignorer } from '@stryker-mutator/api/ignore'
import type { Logger } from '@stryker-mutator/api/logging'
import { Instrumenter } from '@stryker-mutator/instrumenter'

export interface Mutant {
  readonly id: string
  /** Absolute. */
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly column: number
  readonly mutator: string
  readonly original: string
  readonly replacement: string
}

/** The sources below `paths` whose path has one of the pieces; all when none is given. */
export function findSources(
  root: string,
  paths: readonly string[],
  pieces: readonly string[] | undefined,
): string[] {
  const patterns = paths.map((path) => (path.endsWith('/') ? `${path}**/*.ts` : path))
  return globSync(patterns, { cwd: root })
    .filter((path) => !path.endsWith('.test.ts'))
    .filter((path) => !pieces || pieces.some((piece) => path.includes(piece)))
    .sort()
    .map((path) => join(root, path))
}

/** The mutants of `files`, and the code of each file with all of its mutants behind switches. */
export async function makeMutants(
  root: string,
  files: readonly string[],
): Promise<{
  readonly mutants: readonly Mutant[]
  readonly code: Readonly<Record<string, string>>
}> {
  const sources = files.map((name) => ({
    name,
    mutate: true,
    content: readFileSync(name, 'utf8'),
  }))
  const instrumented = await new Instrumenter(silent).instrument(sources, {
    plugins: null,
    excludedMutations: [],
    ignorers: [texts],
  })
  const content = new Map(sources.map(({ name, content }) => [name, content.split('\n')]))
  const mutants = instrumented.mutants
    .filter(({ status }) => status !== 'Ignored')
    .map(({ id, fileName, location: { start, end }, mutatorName, replacement }): Mutant => {
      const lines = content.get(fileName) ?? []
      const spanned = lines.slice(start.line, end.line + 1)
      const last = spanned.length - 1
      spanned[last] = spanned[last]?.slice(0, end.column) ?? ''
      spanned[0] = spanned[0]?.slice(start.column) ?? ''
      return {
        id,
        file: fileName,
        line: start.line + 1,
        column: start.column + 1,
        mutator: mutatorName,
        original: oneLine(spanned.join(' ')),
        replacement: oneLine(replacement),
      }
    })
  const code = Object.fromEntries(instrumented.files.map(({ name, content }) => [name, content]))
  return { mutants, code }
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 160)

/** The part of Babel's paths that is looked at here. */
interface Path {
  readonly key: string | number | null
  readonly node: { readonly type: string }
  readonly parent?: { readonly type: string; readonly callee?: { readonly name?: string } }
}

/** What an error says to whoever reads the log is no decision. */
const texts: Ignorer = {
  shouldIgnore(path) {
    const { node, parent } = path as Path
    const isText = ['StringLiteral', 'TemplateLiteral', 'BinaryExpression'].includes(node.type)
    const isOfError = parent?.type === 'NewExpression' && parent.callee?.name?.endsWith('Error')
    return isText && isOfError ? 'the text of an error' : undefined
  },
}

const silent: Logger = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace: () => {},
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  fatal: () => {},
}
