/**
 * Compiles the code blocks of the documentation, as an application that installed the packages would.
 *
 *     node tools/check-docs.ts [page…]
 *
 * Without an argument it checks all pages. Errors are reported with the line of the page.
 *
 * | block | what is checked |
 * | --- | --- |
 * | `ts`, `tsx` | types, under the strict settings of this repository |
 * | `js`, `jsx` | types, without the strict settings: wrong imports, members, arguments and unknown names |
 * | `svelte` | the compiler of Svelte accepts the component; the script has no type errors |
 * | `vue` | the compiler of Vue accepts script and template; the script has no type errors; the template uses no name that the script lacks |
 * | `astro` | the frontmatter and the template, which is checked as TSX, have no type errors; the compiler of Astro accepts the page if an example has it installed |
 * | `json` | it can be parsed |
 * | {@link UNCHECKED} | nothing |
 *
 * Any other language, and a block without one, is an error. So is a link to a file that is not there.
 *
 * A block is a module. One that begins with a comment like `// src/auth.ts` is that file for the other
 * blocks of its page, up to a block that begins with the same comment; the aliases `@/`, `~/`, `#/` and `$lib/` lead to these files. A block that
 * continues another one declares what it uses in a comment above it, which readers do not see:
 *
 *     <!-- given
 *     declare const app: import('express').Express
 *     -->
 *
 * The blocks of one page make one application: see docs-applications.ts. If a page has parts for several frameworks
 * (`<!-- by framework -->`), it is checked for each of them without the others.
 *
 * A package of a framework is the one that an example has installed. If none has, the package has the
 * type `any`. So has a module that the framework makes itself, for example `$env/dynamic/private`, and
 * the packages of TanStack, whose types come from files that it generates. A block that imports one of
 * them is checked without the strict settings.
 */
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, posix, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { compile as compileSvelte } from 'svelte/compiler'
import {
  compileScript as compileVueScript,
  compileTemplate as compileVueTemplate,
  parse as parseVue,
} from 'vue/compiler-sfc'
import { applicationFaults } from './docs-applications.ts'
import { applicationsOf, type Block, blocksOf } from './docs-blocks.ts'

/** Languages of blocks that are not checked. */
const UNCHECKED: ReadonlySet<string> = new Set(
  'caddyfile diff dockerfile go html java kotlin md mermaid nginx prisma python sh sql swift text toml yaml'.split(
    ' ',
  ),
)

/** Errors about types of a package that has the type `any`. */
const ANY_AS_TYPE = /TS2347|TS2709/

/** A module that the compiler of TypeScript checks. */
interface Module {
  readonly page: string
  readonly file: string
  readonly isStrict: boolean
  readonly text: string
}

/** A fault at a line of a page. */
interface Fault {
  readonly page: string
  readonly line: number
  readonly message: string
}

const root = fileURLToPath(new URL('..', import.meta.url))
const scratch = join(root, '.docs-check', String(process.pid))
const { positionals } = parseArgs({ allowPositionals: true })
const pages =
  positionals.length > 0
    ? positionals.map((page) => relative(root, resolve(page)))
    : globSync(
        [
          'README.md',
          'site/index.md',
          'docs/**/*.md',
          'packages/*/README.md',
          'packages/*/src/**/*.md',
        ],
        {
          cwd: root,
        },
      ).sort()

/** Folders that may have a framework installed, the repository's own first. */
const installations = [
  root,
  ...globSync('{packages,examples,interop}/*/package.json', { cwd: root })
    .sort((one, other) => order(one) - order(other) || (one < other ? -1 : 1))
    .map((file) => join(root, dirname(file))),
]

/** Whether a folder is a workspace, whose packages may be in the root. */
function isOwn(folder: string): boolean {
  return !/^(?:examples|interop)[\\/]/.test(relative(root, folder))
}

function order(file: string): number {
  return ['packages', 'examples', 'interop'].indexOf(file.split(/[\\/]/)[0] ?? '')
}

try {
  mkdirSync(scratch, { recursive: true })
  const faults: Fault[] = []
  const modules: Module[] = []
  const missing = new Set<string>()
  for (const page of pages) {
    const text = readFileSync(join(root, page), 'utf8')
    faults.push(...applicationFaults(page, text).map((fault) => ({ page, ...fault })))
    faults.push(...deadLinks(page, text))
    for (const { name, text: shown } of applicationsOf(text)) {
      const folder = join(scratch, folderOf(page + name))
      const made = await modulesOf(page, folder, blocksOf(shown), faults)
      linkPackages(made, join(folder, 'node_modules'), missing)
      modules.push(...made)
    }
  }
  faults.push(...checkTypes(modules, missing))
  const lines = faults.map(({ page, line, message }) => `${page}:${line}: ${message}`)
  for (const line of new Set(lines)) console.error(line)
  if (faults.length > 0) process.exitCode = 1
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

/** Returns the links of a page, outside of its code, that lead to no file of the repository. */
function deadLinks(page: string, text: string): Fault[] {
  const faults: Fault[] = []
  let isCode = false
  for (const [at, line] of text.split('\n').entries()) {
    if (/^\s*```/.test(line)) isCode = !isCode
    if (isCode) continue
    for (const [, to = ''] of line.replaceAll(/`[^`]*`/g, '').matchAll(/\]\(([^)\s#]+)/g)) {
      if (/^[a-z]+:|^\//.test(to) || existsSync(join(root, dirname(page), to))) continue
      faults.push({ page, line: at + 1, message: `the link leads to no file: ${to}` })
    }
  }
  return faults
}

/** Returns the modules of a page, and reports what needs no types to be found. */
async function modulesOf(
  page: string,
  folder: string,
  blocks: readonly Block[],
  faults: Fault[],
): Promise<Module[]> {
  const taken = new Set<string>()
  // The module that is a file at this point of the page: a later block may replace it.
  const current = new Map<string, string>()
  const modules: Module[] = []
  const runtime = jsxRuntimeOf(blocks)
  for (const block of blocks) {
    const { language, line, code, file: named } = block
    const report = (at: number, message: string) =>
      void faults.push({ page, line: line + at, message })
    const add = (script: string, offset: number, name: string, isStrict: boolean, jsx?: string) => {
      const preferred = join(folder, name)
      const file = taken.has(preferred)
        ? join(dirname(preferred), `line-${line}${/\.tsx?$/.exec(name)?.[0] ?? '.ts'}`)
        : preferred
      const text = withCurrentFiles(textOf(block, script, offset, jsx), preferred, current)
      taken.add(file)
      current.set(preferred, file)
      modules.push({ page, file, isStrict, text })
    }
    if (/^[jt]sx?$/.test(language)) {
      const ending = language.endsWith('x') ? 'tsx' : 'ts'
      const name = (named ?? `line-${line}.ts`).replace(/\.[jt]sx?$/, `.${ending}`)
      // Elements alone stand for a part of a page.
      const script = /^\s*</.test(code) ? `<>${code}</>` : code
      add(script, 0, name, language.startsWith('ts'), ending === 'tsx' ? runtime : undefined)
    } else if (language === 'svelte') {
      checkSvelte(code, report)
      for (const { script, offset, isStrict } of scriptsOf(code))
        add(script, offset, `${named ?? `line-${line}`}.script.ts`, isStrict)
    } else if (language === 'vue') {
      checkVue(code, report)
      for (const { script, offset, isStrict } of scriptsOf(code))
        add(script, offset, `${named ?? `line-${line}`}.script.ts`, isStrict)
    } else if (language === 'astro') {
      await checkAstro(code, report)
      add(tsxOfAstro(code), 0, `${named ?? `line-${line}`}.script.tsx`, true, 'markup')
    } else if (language === 'json') {
      try {
        JSON.parse(code)
      } catch (error) {
        report(0, String(error))
      }
    } else if (!UNCHECKED.has(language))
      report(0, `unknown language "${language}" of a code block (tools/check-docs.ts)`)
  }
  return modules.map((module) => ({ ...module, text: withoutAliases(module, folder, taken) }))
}

/** Leads imports of files that a block above replaced to the last of the blocks that are that file. */
function withCurrentFiles(
  text: string,
  importer: string,
  current: ReadonlyMap<string, string>,
): string {
  return text.replaceAll(/((?:from|import)\s*\(?\s*')(\.[^']+)'/g, (all, before, to) => {
    const target = posix.join(dirname(importer), to)
    const file = ['', '.ts', '.tsx']
      .map((ending) => current.get(`${target}${ending}`))
      .find(Boolean)
    if (file === undefined) return all
    const path = posix.relative(dirname(importer), file)
    return `${before}${path.startsWith('.') ? path : `./${path}`}'`
  })
}

/** The text of a module, with the same lines as in the page. */
function textOf({ line, given }: Block, script: string, offset: number, jsx?: string): string {
  const before = Array.from({ length: line + offset }, () => '')
  if (given) before.splice(given.line - 1, given.code.split('\n').length, given.code)
  const pragma = jsx === undefined ? '' : `/** @jsxImportSource ${jsx} */`
  return `${pragma}${before.join('\n')}\n${script}\nexport {}\n`
}

/** Which package makes the elements of a page's JSX. */
function jsxRuntimeOf(blocks: readonly Block[]): string {
  const code = blocks.map((block) => block.code).join('\n')
  if (/from '(?:solid-js|@solidjs\/|latchkey\/solid)/.test(code)) return 'solid-js'
  if (/from '(?:@builder\.io\/qwik|latchkey\/qwik)/.test(code))
    return homeOf('@builder.io/qwik') ? '@builder.io/qwik' : 'markup'
  return 'react'
}

/** Leads aliases of frameworks to the files of the page. */
function withoutAliases(
  { file, text }: Module,
  folder: string,
  files: ReadonlySet<string>,
): string {
  return text.replaceAll(
    /((?:from|import)\s*\(?\s*')(?:[@~#]|\$lib)\/([^']+)'/g,
    (all, before, to) => {
      const target = ['', 'src', 'app', 'src/lib']
        .map((parent) => posix.join(folder, parent, to))
        .find((path) => ['', '.ts', '.tsx'].some((ending) => files.has(`${path}${ending}`)))
      if (target === undefined) return all
      const path = posix.relative(dirname(file), target)
      return `${before}${path.startsWith('.') ? path : `./${path}`}'`
    },
  )
}

/** The scripts of a component, with the number of lines before each. */
function scriptsOf(code: string): { script: string; offset: number; isStrict: boolean }[] {
  return [...code.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)].map(
    ({ index, 0: all, 1: attributes = '', 2: script = '' }) => ({
      script,
      offset: code.slice(0, index + all.indexOf('>') + 1).split('\n').length - 1,
      isStrict: /lang="ts"/.test(attributes),
    }),
  )
}

function checkSvelte(code: string, report: (line: number, message: string) => void): void {
  try {
    const { warnings } = compileSvelte(code, { generate: 'server' })
    for (const { start, message } of warnings) report(start?.line ?? 0, message)
  } catch (error) {
    const { start, message } = error as { start?: { line: number }; message: string }
    report(start?.line ?? 0, message)
  }
}

function checkVue(code: string, report: (line: number, message: string) => void): void {
  const { descriptor, errors } = parseVue(code)
  for (const error of errors) report(('loc' in error && error.loc?.start.line) || 0, error.message)
  if (errors.length > 0 || !descriptor.template) return
  const { template } = descriptor
  try {
    const script =
      descriptor.scriptSetup || descriptor.script
        ? compileVueScript(descriptor, { id: 'page' })
        : undefined
    const { code: render, errors: wrong } = compileVueTemplate({
      source: template.content,
      filename: 'page.vue',
      id: 'page',
      ...(script?.bindings ? { compilerOptions: { bindingMetadata: script.bindings } } : {}),
    })
    const start = template.loc.start.line
    for (const error of wrong)
      report(
        start - 1 + ((typeof error !== 'string' && error.loc?.start.line) || 1),
        typeof error === 'string' ? error : error.message,
      )
    for (const [, name] of render.matchAll(/\b_ctx\.([a-z_]\w*)/g))
      report(start, `the template uses "${name}", which the script does not have`)
  } catch (error) {
    report(0, error instanceof Error ? error.message : String(error))
  }
}

async function checkAstro(
  code: string,
  report: (line: number, message: string) => void,
): Promise<void> {
  const home = homeOf('@astrojs/compiler-rs') ?? homeOf('@astrojs/compiler')
  if (home === undefined) return
  const { transform } = (await import(
    pathToFileURL(createRequire(join(home, 'package.json')).resolve(home)).href
  )) as {
    transform: (
      code: string,
      options: object,
    ) => Promise<{ diagnostics: { text: string; severity: number; location: { line: number } }[] }>
  }
  const { diagnostics } = await transform(code, { filename: 'page.astro' })
  for (const { text, severity, location } of diagnostics)
    if (severity === 1) report(location.line, text)
}

/** A page of Astro as TSX: the frontmatter, and the template as one element. */
function tsxOfAstro(code: string): string {
  const [, frontmatter = '', template = code] = /^---\n([\s\S]*?)^---\n([\s\S]*)$/m.exec(code) ?? []
  const markup = template
    .replaceAll(/<!--[\s\S]*?-->/g, (comment) => `{/*${comment.slice(4, -3)}*/}`)
    .replaceAll(/<!doctype html>/gi, '')
  const start = code === template ? '' : `\n${frontmatter}`
  return `${start};<>${code === template ? '' : '\n'}${markup}</>`
}

/** The folder of a package in the first of the installations that name it as a dependency. */
function homeOf(name: string, folders: readonly string[] = installations): string | undefined {
  return folders
    .filter((folder) => declares(folder, name))
    .flatMap((folder) => [folder, ...(isOwn(folder) ? [root] : [])])
    .map((folder) => join(folder, 'node_modules', name))
    .find((home) => existsSync(join(home, 'package.json')))
}

/** Links the packages that a page imports and the repository itself does not have; adds the others to `missing`. */
function linkPackages(modules: readonly Module[], folder: string, missing: Set<string>): void {
  const names = new Set<string>()
  for (const { file, text } of modules)
    for (const [, specifier = ''] of text.matchAll(
      /(?:\bfrom|\bimport|\brequire)\s*\(?\s*'([^'\n]+)'/g,
    )) {
      const name = /^(?:@[\w.-]+\/)?[\w-][\w.-]*/.exec(specifier)?.[0]
      if (specifier.startsWith('./+types/')) {
        writeRouteTypes(join(dirname(file), specifier))
        names.add('react-router')
      } else if (specifier.startsWith('.') || specifier.startsWith('node:')) continue
      else if (name === undefined || /^(?:@tanstack\/|[\w-]+:)/.test(specifier))
        missing.add(specifier)
      else if (homeOf(name) === undefined && homeOf(typesOf(name)) === undefined)
        missing.add(specifier)
      else names.add(name)
    }
  // Packages that work together come from one installation: the one that declares the most of them.
  const count = (home: string): number => [...names].filter((name) => declares(home, name)).length
  const homes = [...installations].sort(
    (one, other) => Number(isOwn(other)) - Number(isOwn(one)) || count(other) - count(one),
  )
  for (const name of [...names].flatMap((each) => [each, typesOf(each)])) {
    const home = homeOf(name, homes)
    if (home === undefined || home === join(root, 'node_modules', name)) continue
    const link = join(folder, name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(home, link)
  }
}

/** Whether the package in a folder names another one as its dependency. */
function declares(folder: string, name: string): boolean {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as Record<string, object>
  return Object.hasOwn({ ...dependencies, ...devDependencies }, name)
}

/** Writes what React Router generates for a route, without the types of its own loader. */
function writeRouteTypes(file: string): void {
  mkdirSync(dirname(file), { recursive: true })
  const type = (name: string): string => (homeOf('react-router') ? `router.${name}` : 'any')
  writeFileSync(
    `${file}.ts`,
    `${homeOf('react-router') ? "import type * as router from 'react-router'" : ''}
export namespace Route {
  export type LoaderArgs = ${type('LoaderFunctionArgs')}
  export type ActionArgs = ${type('ActionFunctionArgs')}
  export type MiddlewareFunction = ${type('MiddlewareFunction<Response>')}
  export type ComponentProps = any
}
`,
  )
}

function folderOf(page: string): string {
  return page.replaceAll(/[^\w-]/g, '_')
}

function typesOf(name: string): string {
  return `@types/${name.replace(/^@/, '').replace('/', '__')}`
}

/** Type-checks all modules: the strict ones in one run of the compiler, the others in another. */
function checkTypes(modules: readonly Module[], missing: ReadonlySet<string>): Fault[] {
  const pageOf = new Map(modules.map(({ file, page }) => [file, page]))
  for (const { file, text } of modules) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const ambient = join(scratch, 'ambient.d.ts')
  writeFileSync(ambient, ambientOf(missing))
  const faults: Fault[] = []
  // With a package of the type `any`, the parameters of callbacks have no types.
  const partial = new Set(
    modules
      .filter(({ text }) => [...missing].some((name) => text.includes(`'${name}'`)))
      .map(({ file }) => file),
  )
  for (const isStrict of [true, false]) {
    const files = modules
      .filter((module) => (module.isStrict && !partial.has(module.file)) === isStrict)
      .map(({ file }) => file)
    if (files.length === 0) continue
    for (const { file, line, message } of diagnosticsOf([...files, ambient], isStrict)) {
      const page = pageOf.get(file)
      // A module that is imported from here is checked with its own settings.
      if (page !== undefined && !files.includes(file)) continue
      if (partial.has(file) && ANY_AS_TYPE.test(message)) continue
      faults.push({ page: page ?? file, line, message })
    }
  }
  return faults
}

function ambientOf(missing: ReadonlySet<string>): string {
  const markup = `
    export namespace JSX {
      type Element = any
      type ElementType = any
      interface IntrinsicElements { [name: string]: any }
    }
    export const jsx: any, jsxs: any, Fragment: any`
  return [
    '/// <reference types="svelte" />',
    '/// <reference types="vue" />',
    ...[...missing].map((name) => `declare module '${name}'`),
    ...['svelte', 'vue', 'astro'].map((ending) => `declare module '*.${ending}'`),
    `declare module '*.css'`,
    `declare module 'markup/jsx-runtime' {${markup}}`,
    `declare const Astro: { [name: string]: any; locals: App.Locals; request: Request; url: URL }`,
    `declare namespace App { interface Locals {} interface PageData {} }`,
  ].join('\n')
}

function diagnosticsOf(
  files: readonly string[],
  isStrict: boolean,
): { file: string; line: number; message: string }[] {
  const compilerOptions = {
    noEmit: true,
    declaration: false,
    module: 'preserve',
    moduleResolution: 'bundler',
    rewriteRelativeImportExtensions: false,
    allowImportingTsExtensions: true,
    noPropertyAccessFromIndexSignature: false,
    exactOptionalPropertyTypes: false,
    experimentalDecorators: true,
    erasableSyntaxOnly: false,
    jsx: 'react-jsx',
    ...(isStrict ? {} : { strict: false, noUncheckedIndexedAccess: false }),
  }
  const config = join(scratch, `tsconfig.${isStrict ? 'strict' : 'loose'}.json`)
  const text = { extends: '../../tsconfig.base.json', compilerOptions, files }
  writeFileSync(config, JSON.stringify(text))
  const tsc = join(root, 'node_modules/.bin/tsc')
  const { stdout, stderr } = spawnSync(tsc, ['-p', config, '--pretty', 'false'], {
    cwd: root,
    encoding: 'utf8',
  })
  const faults: { file: string; line: number; message: string }[] = []
  for (const line of `${stdout}${stderr}`.trimEnd().split('\n')) {
    const [, file, at, message] = /^(.+?)\((\d+),\d+\): (.*)$/.exec(line) ?? []
    const last = faults.at(-1)
    if (file !== undefined && message !== undefined)
      faults.push({ file: resolve(root, file), line: Number(at), message })
    else if (/^\s/.test(line) && last) last.message += `\n${line}`
    else if (line !== '') faults.push({ file: 'tsc', line: 0, message: line })
  }
  return faults
}
