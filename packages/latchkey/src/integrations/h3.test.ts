import { expect, test } from 'vitest'
import { getSession, type H3Event } from './h3.ts'

test('a cached handler gets no session, although it shares the context of the first request', async () => {
  const latchkey = {
    session: async ({ headers }: Request) => ({
      session: headers.get('cookie'),
      headers: new Headers(),
    }),
  }
  const context = {}
  const asked = (cookie?: string): H3Event => ({
    req: new Request('https://app.example/', { headers: cookie ? { cookie } : {} }),
    res: { headers: new Headers() },
    context,
  })
  const first = asked('ada')
  expect(await getSession(first, latchkey)).toBe('ada')
  expect(await getSession(asked(), latchkey)).toBeNull()
})
