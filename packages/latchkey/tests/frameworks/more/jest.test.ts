import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { run } from '../../package/packed.ts'
import { inFolder, install, patient } from './installed.ts'

const TEST = `
import { createLatchkey } from 'latchkey'
import { memoryAdapter } from 'latchkey/adapters/memory'
import { sessions } from 'latchkey/plugins/sessions'

test('a session', async () => {
  const { handler } = createLatchkey({
    secret: 'a secret of thirty-two characters', trustHost: true, providers: [],
    adapter: memoryAdapter(), plugins: [sessions()],
  })
  const answer = await handler(new Request('http://app.example/auth/session'))
  expect(answer.status).toBe(200)
})
`

test('PUB-8: Jest runs tests of an application, as the docs say', patient, () => {
  const folder = install('jest', { jest: '^30' })
  writeFileSync(inFolder(folder, 'auth.test.js'), TEST)
  const jest = inFolder(folder, 'node_modules/jest/bin/jest.js')
  const asModules = ['--experimental-vm-modules', jest]
  expect(() => run('node', [jest], folder)).toThrow('Must use import to load ES Module')
  expect(() => run('node', asModules, folder)).not.toThrow()
})
