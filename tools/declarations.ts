/**
 * What a tree of `.d.ts` files exports, read as text: the compiler's own programming interface is
 * not there, and emitted declarations are regular enough.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** One declaration, where it stands. */
export interface Declaration {
  /** Of the `.d.ts` file. */
  readonly file: string
  readonly name: string
  /** Without comments, `export` and `declare`. */
  readonly text: string
}

interface Module {
  readonly file: string
  /** Names declared here; overloads and merged interfaces have several texts. */
  readonly declared: ReadonlyMap<string, readonly string[]>
  /** Names that come from elsewhere: the module's specifier and the name there. */
  readonly imported: ReadonlyMap<string, readonly [specifier: string, name: string]>
  readonly exported: ReadonlyMap<string, readonly [specifier: string | undefined, name: string]>
  /** Specifiers of `export *`. */
  readonly stars: readonly string[]
}

/** An exported name, and what it stands for; a text instead when it comes from a package. */
export type Export = readonly [name: string, meaning: Declaration | string]

/** Reads modules once each. */
export class DeclarationTree {
  readonly #modules = new Map<string, Module>()

  /** Everything that `file` exports, by name. */
  exportsOf(file: string): Export[] {
    const module = this.#module(file)
    const found = new Map<string, Declaration | string>()
    for (const specifier of module.stars)
      for (const [name, meaning] of this.#follow(module, specifier, '*'))
        if (name !== 'default') found.set(name, meaning)
    for (const [name, [specifier, original]] of module.exported)
      for (const [, meaning] of this.#follow(module, specifier, original)) found.set(name, meaning)
    return [...found].sort(([a], [b]) => (a < b ? -1 : 1))
  }

  /** The declarations that a declaration names, in this tree. */
  namedBy({ file, name, text }: Declaration): Declaration[] {
    const module = this.#module(file)
    const words = new Set(text.match(/[A-Za-z_$][\w$]*/g))
    words.delete(name)
    return [...words].flatMap((word) => {
      if (module.declared.has(word)) return [declaration(module, word)]
      const from = module.imported.get(word)
      if (!from) return []
      const meanings = this.#follow(module, from[0], from[1]).map(([, meaning]) => meaning)
      return meanings.filter((meaning) => typeof meaning !== 'string')
    })
  }

  #follow(module: Module, specifier: string | undefined, name: string): Export[] {
    if (specifier === undefined) {
      if (module.declared.has(name)) return [[name, declaration(module, name)]]
      const from = module.imported.get(name)
      if (!from) throw new Error(`${module.file} exports ${name} and does not declare it`)
      return this.#follow(module, from[0], from[1])
    }
    if (!specifier.startsWith('.')) return [[name, `from the package ${specifier}: ${name}`]]
    const file = join(dirname(module.file), specifier.replace(/\.(?:d\.)?[jt]s$/, '.d.ts'))
    const all = this.exportsOf(file)
    if (name === '*') return all
    const [found] = all.filter(([exported]) => exported === name)
    if (!found) throw new Error(`${module.file} takes ${name} from ${specifier}, which has none`)
    return [found]
  }

  #module(file: string): Module {
    const known = this.#modules.get(file)
    if (known) return known
    if (!existsSync(file)) throw new Error(`${file} is missing: run npm run build`)
    const module = parse(file, readFileSync(file, 'utf8'))
    this.#modules.set(file, module)
    return module
  }
}

function declaration({ file, declared }: Module, name: string): Declaration {
  return { file, name, text: (declared.get(name) ?? []).join('\n') }
}

const DECLARES =
  /^(?<exports>export )?(?<isDefault>default )?(?:declare )?(?:abstract )?(?:function|class|interface|type|const|let|var|enum|namespace) (?<name>[\w$]+)/
const LIST =
  /^(?<kind>import|export) (?:type )?(?:(?<byDefault>[\w$]+), )?\{(?<names>[^}]*)\}(?: from ['"](?<from>[^'"]+)['"])?/

function parse(file: string, source: string): Module {
  const declared = new Map<string, string[]>()
  const imported = new Map<string, readonly [string, string]>()
  const exported = new Map<string, readonly [string | undefined, string]>()
  const stars: string[] = []
  for (const text of statements(source)) {
    const named = text.match(DECLARES)?.groups
    const list = text.match(LIST)?.groups
    const star = text.match(/^export \* from ['"]([^'"]+)['"]/)?.[1]
    const whole = text.match(/^import (?:type )?(?:\* as )?([\w$]+) from ['"]([^'"]+)['"]/)
    const byDefault = text.match(/^export default ([\w$]+);?$/)?.[1]
    if (star !== undefined) stars.push(star)
    else if (byDefault !== undefined) exported.set('default', [undefined, byDefault])
    else if (list) {
      const from = list['from'] ?? ''
      if (list['byDefault']) imported.set(list['byDefault'], [from, 'default'])
      for (const entry of (list['names'] ?? '').split(',').filter((each) => each.trim())) {
        const [original = '', name = original] = entry
          .trim()
          .replace(/^type /, '')
          .split(' as ')
        if (list['kind'] === 'export') exported.set(name, [list['from'], original])
        else imported.set(name, [from, original])
      }
    } else if (whole) imported.set(whole[1] ?? '', [whole[2] ?? '', 'default'])
    else if (named) {
      const name = named['name'] ?? ''
      const bare = text.replace(/^(?:export )?(?:default )?(?:declare )?/, '')
      declared.set(name, [...(declared.get(name) ?? []), bare])
      if (named['exports']) exported.set(named['isDefault'] ? 'default' : name, [undefined, name])
    }
    // What is added to a module of somebody else is not ours to list.
    else if (!/^(?:export \{\}|import ['"]|declare (?:module|global)\b)/.test(text))
      throw new Error(`${file}: cannot make sense of: ${text.slice(0, 80)}`)
  }
  return { file, declared, imported, exported, stars }
}

const WITHOUT_SEMICOLON =
  /^(?:export )?(?:default )?(?:declare )?(?:abstract )?(?:class|interface|enum|namespace|module|global) /

/** The statements of a declaration file, without comments, in one spelling of white space. */
function statements(source: string): string[] {
  const found: string[] = []
  let depth = 0
  let text = ''
  const tokens =
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|[\s\S]/g
  for (const { 0: token, index } of source.matchAll(tokens)) {
    if (token.startsWith('/*') || token.startsWith('//')) continue
    text += token
    if ('([{'.includes(token)) depth++
    if (')]}'.includes(token)) depth--
    // A bracket may also end what a type parameter extends.
    const closes =
      token === '}' &&
      WITHOUT_SEMICOLON.test(text.trimStart()) &&
      !/^\s*[=>,&|]/.test(source.slice(index + 1))
    if (depth !== 0 || !(token === ';' || closes)) continue
    const statement = text
      .replace(/[ \t]+$/gm, '')
      .replace(/\n{2,}/g, '\n')
      .trim()
    if (statement !== ';') found.push(statement)
    text = ''
  }
  return found
}
