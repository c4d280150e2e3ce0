import { posix } from 'node:path'
import { adapterKind, REPLACED } from './modules.ts'

/** Returns the names of the packages that an installed package needs; `undefined` if it is not installed. */
export type Installed = (folder: string, name: string) => readonly string[] | undefined

/** A dependency that uses a package which Latchkey would replace. */
export interface User {
  readonly name: string
  /** The package that it uses. */
  readonly uses: string
  /** Whether it is an adapter, which works with Latchkey. */
  readonly isAdapter: boolean
}

/** Packages that are known to run one of another package, and the guide for them. */
const KNOWN: Readonly<Record<string, { readonly uses: string; readonly guide: string }>> = {
  '@sidebase/nuxt-auth': { uses: 'next-auth', guide: 'docs/how-to/move-from-nuxt-auth.md' },
}

const LISTS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']

/** Who else uses the packages of Auth.js, for each package.json of an application. */
export class Users {
  readonly #files: ReadonlyMap<string, string>
  readonly #installed: Installed
  readonly #known = new Map<string, readonly User[]>()

  constructor(files: ReadonlyMap<string, string>, installed: Installed) {
    this.#files = files
    this.#installed = installed
  }

  /** The users among the dependencies of one package.json. */
  in(manifest: string): readonly User[] {
    const known = this.#known.get(manifest)
    if (known) return known
    const folder = posix.dirname(manifest)
    const names = namesIn(this.#files.get(manifest))
    const found = names.flatMap((name) => this.#usesOf(folder, name))
    this.#known.set(manifest, found)
    return found
  }

  /**
   * The user because of which a file stays as it is: one of the nearest package.json that lists a package of Auth.js, or of
   * one on the way.
   */
  of(path: string): User | undefined {
    for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
      const manifest = posix.join(folder, 'package.json')
      const user = this.in(manifest).find(({ isAdapter }) => !isAdapter)
      const isHome = namesIn(this.#files.get(manifest)).some((name) => REPLACED.includes(name))
      if (user || isHome || folder === '.') return user
    }
  }

  /** Dependencies that cannot be looked at, where none is installed. */
  unknownIn(manifest: string): readonly string[] {
    const names = namesIn(this.#files.get(manifest))
    const others = names.filter((name) => !isOurs(name) && !Object.hasOwn(KNOWN, name))
    const folder = posix.dirname(manifest)
    const isMoved = names.some((name) => REPLACED.includes(name))
    return isMoved && others.every((name) => this.#installed(folder, name) === undefined)
      ? others
      : []
  }

  #usesOf(folder: string, name: string): User[] {
    if (isOurs(name)) return []
    const needs = this.#installed(folder, name) ?? []
    const uses = Object.hasOwn(KNOWN, name)
      ? KNOWN[name]?.uses
      : needs.find((need) => REPLACED.includes(need))
    return uses === undefined ? [] : [{ name, uses, isAdapter: /adapter/i.test(name) }]
  }
}

/** Why something stays. */
export function because({ name, uses }: User): string {
  const guide = Object.hasOwn(KNOWN, name) ? KNOWN[name]?.guide : undefined
  return `because \`${name}\` uses \`${uses}\`; ${guide === undefined ? `replace \`${name}\`, remove it from package.json, and run the codemod again` : `the guide is ${guide}`}`
}

/** Whether a package is of Auth.js itself, or goes on to work. */
function isOurs(name: string): boolean {
  return REPLACED.includes(name) || adapterKind(name) !== undefined
}

function namesIn(text: string | undefined): string[] {
  if (text === undefined) return []
  const root = JSON.parse(text) as Record<string, object | undefined>
  return LISTS.flatMap((list) => Object.keys(root[list] ?? {}))
}
