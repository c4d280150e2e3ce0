import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { codemod } from '../src/codemod.ts'
import { applications, filesOf, folder, moved } from './support/applications.ts'

describe.each(applications)('the application %s', (application) => {
  const { changes, notes, files } = moved(filesOf(application))

  test('becomes the expected application', async () => {
    const shown = changes.map(({ path, after }) =>
      after === undefined ? `==> ${path}: removed\n` : `==> ${path}\n${after}`,
    )
    const left = notes.map(({ path, line, text }) => `${path}:${line}: ${text}\n`)
    await expect(`${shown.join('\n')}\n==> left to a person\n${left.join('')}`).toMatchFileSnapshot(
      join(folder, application, 'after.txt'),
    )
  })

  test('is not changed by a second run', () => {
    expect(codemod(files, 'keep').changes).toEqual([])
  })
})
