import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const page = readFileSync(
  new URL('../../../../docs/how-to/troubleshoot.md', import.meta.url),
  'utf8',
)
const sections = new Map(
  page.split(/^## /m).map((section) => [section.slice(0, section.indexOf('\n')), section] as const),
)

// As people write them when they report: what the page must have in the section that answers.
test.each([
  ['neon-http', 'No transactions support', 'A driver of Drizzle has no transactions'],
  ['D1', 'BEGIN TRANSACTION', 'A driver of Drizzle has no transactions'],
  ['Referrer-Policy', 'MissingCSRF', 'The form comes with Origin: null'],
  ['Keycloak', 'over plain http', 'A provider in Docker is reached over http'],
  ['cluster', 'CROSSSLOT', 'A Redis cluster says CROSSSLOT'],
  ['capitals', 'second', 'An imported user is created a second time'],
  ['HTTPS_PROXY', 'NODE_USE_ENV_PROXY', 'Requests to a provider fail behind a company proxy'],
  ['Jest', 'Cannot use import statement outside a module', 'Jest cannot import the library'],
  ['Android', 'apk-key-hash', 'A passkey of an Android app is refused'],
  ['iframe', 'Partitioned', 'In a frame of another site nobody is signed in'],
  ['domain', 'twice', 'A cookie comes twice'],
])('PUB-8: a search for "%s" and "%s" leads to "%s"', (word, other, heading) => {
  const section = sections.get(heading) ?? ''
  expect(section.toLowerCase()).toContain(word.toLowerCase())
  expect(section.toLowerCase()).toContain(other.toLowerCase())
})
