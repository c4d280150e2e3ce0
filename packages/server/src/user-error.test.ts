import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { COMMAND_LINE, explainedLine, UserError, withDocs } from './user-error.ts'

const PAGE = 'latchkey/docs/reference/errors.md'

test.each([
  ['port: 1 is in use; choose another', 'options-of-the-service'],
  ['NODE_ENV: "prod" must be production, development or test', 'options-of-the-service'],
  ['database: there is no file data.db', 'stores-of-the-service'],
  ['redis: cannot use redis://a (timeout): check it', 'stores-of-the-service'],
  ['dataDir: cannot create data (EACCES)', 'stores-of-the-service'],
  ['latchkey.config.mts: there is no option "prot"', 'configuration-file-of-the-service'],
  ['my.json: auth must be an object', 'configuration-file-of-the-service'],
  ['latchkey.config.js and latchkey.config.ts both exist', 'configuration-file-of-the-service'],
  ['--config: there is no file a.ts', 'configuration-file-of-the-service'],
  ['auth: the provider x has no issuer', 'configuration-file-of-the-service'],
  ['tokens: the tokens of 2 accounts could not be moved', 'command-line-of-the-service'],
  ['there is no provider "x"; did you mean "y"?', 'command-line-of-the-service'],
])('the line %j names the section %s', (mistake, section) => {
  expect(withDocs(mistake)).toBe(`${mistake} (${PAGE}#${section})`)
})

test('a line that names a section is unchanged', () => {
  const line = 'apiKeys: scopes must be a list (latchkey/docs/reference/configuration.md#x)'
  expect(withDocs(line)).toBe(line)
})

test('the message has the sections, and its parts are without them', () => {
  const error = new UserError(['port: a', 'database: b'])
  expect(error.mistakes).toEqual(['port: a', 'database: b'])
  expect(error.message).toBe(
    `port: a (${PAGE}#options-of-the-service)\ndatabase: b (${PAGE}#stores-of-the-service)`,
  )
})

test('an error of the library keeps the section of its type', () => {
  const error = Object.assign(new Error('one\ntwo'), { docs: `${PAGE}#invalidendpoints` })
  expect(explainedLine(error)).toBe(`one (${PAGE}#invalidendpoints)`)
  expect(explainedLine(new Error('one\ntwo'))).toBe('one')
  expect(explainedLine('text')).toBe('text')
})

test('every section is in the docs', () => {
  const file = new URL('../../../docs/reference/errors.md', import.meta.url)
  const text = readFileSync(file, 'utf8')
  const anchors = [...text.matchAll(/^### (.+)$/gm)].map(([, heading = '']) =>
    heading.toLowerCase().replaceAll(' ', '-'),
  )
  for (const line of ['port: x', 'database: x', '--config: x', 'x'])
    expect(anchors).toContain(withDocs(line).replace(/^.*#|\)$/g, ''))
  expect(COMMAND_LINE).toContain(PAGE)
})
