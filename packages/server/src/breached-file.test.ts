import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryDirectory } from '../tests/support/temporary.ts'
import { breachedFile } from './breached-file.ts'

const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex').toUpperCase()

const stolen = Array.from({ length: 2000 }, (_, at) => `password ${at}`)

describe('PW-7: a file of breached passwords', () => {
  test.each<[string, (hash: string, at: number) => string]>([
    ['whole hashes with counts', (hash, at) => `${hash}:${at + 1}\r\n`],
    ['whole hashes alone', (hash) => `${hash}\n`],
    ['the first twelve digits, in small letters', (hash) => `${hash.slice(0, 12).toLowerCase()}\n`],
  ])('with %s names each of its passwords, and no other', async (_, lineOf) => {
    using directory = temporaryDirectory()
    const path = join(directory.path, 'breached.txt')
    writeFileSync(path, stolen.map(sha1).toSorted().map(lineOf).join(''))
    const { isBreached } = breachedFile(path)
    const verdicts = await Promise.all(stolen.map((each) => isBreached(each)))
    expect(verdicts.filter(Boolean)).toHaveLength(stolen.length)
    for (let at = 0; at < 500; at++) expect(await isBreached(`other ${at}`)).toBe(false)
  })

  test.each(['', '\n', 'ABC\n', sha1('the only one')])(
    'that has only %j refuses nothing else',
    async (content) => {
      using directory = temporaryDirectory()
      const path = join(directory.path, 'breached.txt')
      writeFileSync(path, content)
      const { isBreached } = breachedFile(path)
      expect(await isBreached('the only one')).toBe(content.length === 40)
      expect(await isBreached('another one')).toBe(false)
    },
  )

  test('that does not exist fails, and is found once it is there', async () => {
    using directory = temporaryDirectory()
    const path = join(directory.path, 'breached.txt')
    const { isBreached } = breachedFile(path)
    await expect(isBreached('a password')).rejects.toThrow('ENOENT')
    writeFileSync(path, `${sha1('a password')}\n`)
    expect(await isBreached('a password')).toBe(true)
  })
})
