import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { createLatchkey } from '../../src/entries/index.ts'
import { definePlugin, type Host } from '../../src/entries/plugin.ts'
import { sessions } from '../../src/plugins/sessions/index.ts'

const secret = 'a secret for tests, 0123456789abcdef'

/** A plugin that does something when it is time. */
const tidy = (name: string, maintain: () => Promise<void>) =>
  definePlugin({ name, needs: ['records'], setUp: () => ({ maintain }) })

describe('GEN-3: maintenance', () => {
  test('reaches each plugin, and a failure is logged and stops no other plugin', async () => {
    const log: string[] = []
    const done: string[] = []
    const latchkey = createLatchkey({
      providers: [],
      adapter: memoryAdapter(),
      secret,
      logger: { error: ({ message }) => log.push(message) },
      plugins: [
        tidy('fails', async () => {
          throw new Error('of a test')
        }),
        tidy('works', async () => void done.push('works')),
      ],
    })
    await latchkey.maintain()
    await latchkey.maintain()
    expect(done).toEqual(['works', 'works'])
    expect(log).toEqual([
      expect.stringContaining('of a test'),
      expect.stringContaining('of a test'),
    ])
  })

  test('is done by one process at a time', async () => {
    const adapter = memoryAdapter()
    let [running, most] = [0, 0]
    const work = async () => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, 5))
      running--
    }
    const both = [1, 2].map(() =>
      createLatchkey({ providers: [], adapter, secret, plugins: [tidy('tidy', work)] }),
    )
    await Promise.all(both.map((latchkey) => latchkey.maintain()))
    expect(most).toBe(1)
  })

  test('begins no step after its budget', async () => {
    let times = 0
    const latchkey = createLatchkey({
      providers: [],
      adapter: memoryAdapter(),
      secret,
      plugins: [tidy('tidy', async () => void times++)],
    })
    await latchkey.maintain({ budgetMs: 0 })
    expect(times).toBe(0)
  })
})

describe('the offers of one plugin to the others:', () => {
  test('`host.sessions.control()` is there with the plugin `sessions`, and not without', async () => {
    const seen: (object | undefined)[] = []
    const asks = () =>
      definePlugin({
        name: 'asks',
        needs: ['records'],
        setUp: (host: Host) => ({ maintain: async () => void seen.push(host.sessions.control()) }),
      })
    const common = { providers: [], adapter: memoryAdapter(), secret }
    await createLatchkey({ ...common, plugins: [asks()] }).maintain()
    await createLatchkey({ ...common, plugins: [asks(), sessions()] }).maintain()
    expect(seen).toEqual([undefined, expect.objectContaining({ endAll: expect.any(Function) })])
    expect(await (seen[1] as ReturnType<Host['sessions']['control']>)?.list('nobody')).toEqual([])
  })
})
