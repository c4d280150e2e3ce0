import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { createRoot } from 'solid-js'
import { get } from 'svelte/store'
import { describe, expect, test } from 'vitest'
import { effectScope } from 'vue'
import { createAuthClient } from './index.ts'
import {
  createUseSession,
  createAuthClient as reactClient,
  SessionProvider,
  useSession,
} from './react.ts'
import { createSession } from './solid.ts'
import { sessionStore } from './svelte.ts'
import { useSession as useVueSession } from './vue.ts'

// The bindings without a browser; with one, they run in `tests/browser`.

const ada = { user: { name: 'Ada' }, expires: '2100-01-01T00:00:00.000Z' }

// The same hook, with the session type of a server.
const useAda = createUseSession<() => Promise<typeof ada | null>>()

function Who() {
  const { data, status } = useAda()
  return createElement('p', null, `${status} ${data?.user.name ?? 'nobody'}`)
}

describe('React on the server', () => {
  test.each([
    [ada, 'authenticated Ada'],
    [null, 'unauthenticated nobody'],
    [undefined, 'loading nobody'],
  ])('renders the given session: %o', (session, text) => {
    const page = createElement(
      SessionProvider,
      { session, client: reactClient() },
      createElement(Who),
    )
    expect(renderToString(page)).toContain(text)
  })

  test('shows a required session as loading, until the browser has gone to sign in', () => {
    function Required() {
      const { status } = useSession({ required: true })
      return createElement('p', null, status)
    }
    const page = createElement(SessionProvider, { session: null }, createElement(Required))
    expect(renderToString(page)).toContain('loading')
  })

  test('reports a missing provider', () => {
    expect(() => renderToString(createElement(Who))).toThrow('<SessionProvider>')
  })
})

describe('Vue, Svelte and Solid', () => {
  test('show the state as it changes, as long as they are mounted', () => {
    const client = createAuthClient({}, {})
    const scope = effectScope()
    const vue = scope.run(() => useVueSession(client))
    const svelte = sessionStore(client)
    const seen: string[] = []
    const stopSvelte = svelte.subscribe(({ status }) => seen.push(status))
    const [solid, stopSolid] = createRoot((dispose) => [createSession(client), dispose] as const)
    client.store.set(ada)
    expect([vue?.value.data, get(svelte).data, solid().data]).toEqual([ada, ada, ada])
    scope.stop()
    stopSvelte()
    stopSolid()
    client.store.set(null)
    expect([vue?.value.status, seen.at(-1), solid().status]).toEqual([
      'authenticated',
      'authenticated',
      'authenticated',
    ])
    expect(get(svelte).status).toBe('unauthenticated')
  })
})
