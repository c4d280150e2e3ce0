import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root, run } from './packed.ts'

/** A version of TypeScript that applications use. */
export type Compiler = keyof typeof compilers

/** The projects of this repository that have them installed. */
export const compilers = {
  '5.9': 'interop/stores',
  '6.0': 'examples/next',
  '7.0': '.',
} as const

/** The options of an application, as the templates of frameworks have them. */
const usual = {
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2023', 'dom', 'dom.iterable'],
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [] as string[],
}

/** What an application's tsconfig says besides. */
export type CompilerOptions = Partial<Record<string, unknown>>

/**
 * Compiles files in a folder of their own below an installed project.
 *
 * @returns what the compiler prints, empty when there is nothing to report.
 */
export function compile(
  compiler: Compiler,
  folder: string,
  files: Readonly<Record<string, string>>,
  options: CompilerOptions = {},
): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const tsconfig = { compilerOptions: { ...usual, ...options }, files: Object.keys(files) }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig))
  return typeCheck(compiler, folder)
}

/**
 * Runs the compiler on a project as it is.
 *
 * @param project a folder, or its tsconfig.
 * @returns what the compiler prints.
 */
export function typeCheck(compiler: Compiler, project: string): string {
  const tsc = join(root, compilers[compiler], 'node_modules/typescript/bin/tsc')
  if (!existsSync(tsc)) throw new Error(`${tsc} is missing: run "npm test" once to install it`)
  const version = run('node', [tsc, '--version'], root)
  if (!version.includes(` ${compiler}.`)) throw new Error(`${tsc} is ${version.trim()}`)
  return run('node', [tsc, '-p', project, '--pretty', 'false'], root)
}
