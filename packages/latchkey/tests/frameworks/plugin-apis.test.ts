import { expect, expectTypeOf, test, vi } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import type { SessionInfo } from '../../src/plugins/sessions/index.ts'
import { sessions } from '../../src/plugins/sessions/index.ts'

vi.mock('next/headers.js', () => ({ headers: async () => new Headers(), cookies: () => ({}) }))
vi.mock('next/server.js', () => ({ NextRequest: Request, NextResponse: {} }))
vi.resetModules()
const { default: NextAuth } = await import('../../src/integrations/next.ts')
const express = await import('../../src/integrations/express.ts')

const config = {
  secret: 'a secret of these tests, 0123456789abcdef',
  trustHost: true,
  adapter: memoryAdapter(),
  providers: [],
  plugins: [sessions()],
} as const

test('the request is optional for plugin functions if the framework knows it', async () => {
  const { api } = NextAuth({ ...config })
  expectTypeOf(api.sessions.list).toBeCallableWith()
  expectTypeOf(api.sessions.list).toBeCallableWith({ userId: '1' })
  expectTypeOf(api.sessions.isFresh).toBeCallableWith(undefined, 60)
  expectTypeOf(api.sessions.list).returns.resolves.toEqualTypeOf<SessionInfo[]>()
  // @ts-expect-error: whose sessions end has to be said.
  expectTypeOf(api.sessions.endAll).toBeCallableWith()
  expectTypeOf(express.apiOf<typeof config>).returns.toHaveProperty('sessions')
  expect(await api.sessions.list()).toEqual([])
})
