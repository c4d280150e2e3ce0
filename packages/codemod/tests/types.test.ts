import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesOf, moved } from './support/applications.ts'

// Where the library is found, as it was built, and no tool looks.
const place = join(import.meta.dirname, '../../../node_modules/.cache')

/** Compiles what was made of an application. @returns what the compiler says of lines that were not left to a person. */
function compile(application: string): string[] {
  const { files, notes } = moved(filesOf(application))
  mkdirSync(place, { recursive: true })
  const folder = mkdtempSync(join(place, 'codemod-'))
  try {
    for (const [path, text] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    copyFileSync(
      join(import.meta.dirname, 'support/outside.d.ts.txt'),
      join(folder, 'outside.d.ts'),
    )
    const compilerOptions = {
      module: 'esnext',
      moduleResolution: 'bundler',
      target: 'es2022',
      lib: ['es2023', 'dom', 'dom.iterable'],
      jsx: 'preserve',
      strict: true,
      // Of what stands for packages that are not here.
      noImplicitAny: false,
      noEmit: true,
      skipLibCheck: true,
      types: ['node'],
      paths: { '~/*': ['./src/*'], '@/*': ['./*'] },
    }
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, include: ['**/*.ts', '**/*.tsx'] }),
    )
    const { stdout } = spawnSync('tsc', ['-p', folder, '--pretty', 'false'], {
      cwd: folder,
      encoding: 'utf8',
    })
    const left = new Set(notes.map(({ path, line }) => `${path}(${line},`))
    return stdout
      .split('\n')
      .filter((line) => /^\S/.test(line))
      .filter((line) => !left.has(line.slice(0, line.indexOf(',') + 1)))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describe('a moved application compiles:', () => {
  test.each([
    'next-4-pages',
    'next-4-app',
    'next-5-app',
    't3-7.30-pages',
    't3-7.30-app',
    't3-7.40',
  ])('%s', (application) => {
    expect(compile(application)).toEqual([])
  })
})
