import {
  abortNavigation,
  defineNuxtPlugin,
  defineNuxtRouteMiddleware,
  navigateTo,
  useNuxtApp,
  useRequestEvent,
  useRuntimeConfig,
  useState,
} from 'nuxt/app'
import type { ShallowRef } from 'vue'
import {
  type AuthClient,
  ClientError,
  createAuthClient,
  type SessionState,
  useSession as useSessionOf,
} from '../client/vue.ts'
import type { Session } from '../entries/index.ts'
import type { FactorOptions, FreshOptions, NeededProof } from './parts.ts'

export type { AuthClient, SessionState } from '../client/vue.ts'

// The parts that `latchkey/nuxt` adds to an application.

/** What the plugin of the module provides. */
interface Provided {
  readonly $latchkey: AuthClient
  readonly $latchkeyPath: string
}

const provided = (): Provided => useNuxtApp() as ReturnType<typeof useNuxtApp> & Provided

/** Returns the client of the page, with `signIn` and `signOut`. */
export function useAuth(): AuthClient {
  return provided().$latchkey
}

/** Returns the session for the lifetime of the component. The result of the server is available at once. */
export function useSession(): Readonly<ShallowRef<SessionState>> {
  return useSessionOf(useAuth())
}

/** The plugin of the module. @internal */
export function createPlugin(basePath: string): unknown {
  return defineNuxtPlugin({
    name: 'latchkey',
    async setup() {
      const session = useState<Session | null>('latchkey')
      const event = useRequestEvent()
      if (event) session.value = await event.context.latchkey?.()
      const path = actionsPath(basePath)
      const client = createAuthClient({ basePath: path })
      if (session.value !== undefined) client.store.set(session.value)
      return { provide: { latchkey: client, latchkeyPath: path } }
    },
  })
}

/** The route middleware of the module. @internal */
export function createGuard(basePath: string): unknown {
  return defineNuxtRouteMiddleware(async ({ fullPath }) => {
    const { store } = useAuth()
    const { data } = store.state
    const page = signInPage(actionsPath(basePath), addressOf(fullPath))
    if (data === undefined ? await store.refetch() : data) return undefined
    return navigateTo(page, { external: true })
  })
}

/** The base path of the actions. The option may have `app.baseURL` in front, as the one of the configuration has. */
function actionsPath(basePath: string): string {
  return basePath.startsWith(addressOf('/')) ? basePath : addressOf(basePath)
}

/** Returns the path of a page: below `app.baseURL`, which the router of Nuxt leaves out. */
function addressOf(path: string): string {
  return useRuntimeConfig().app.baseURL.replace(/\/$/, '') + path
}

function signInPage(basePath: string, callbackUrl: string): string {
  return `${basePath}/signin?${new URLSearchParams({ callbackUrl })}`
}

/** A route middleware of Nuxt: in `definePageMeta`, or as the default export of a file in `middleware`. */
export type PageMiddleware = (to: { readonly fullPath: string }) => Promise<false | undefined>

/**
 * A route middleware that lets only users see a page whose last proof of identity is at most so many seconds old; with a second
 * factor in the account, the last proof with one. It leads others to the page that asks for a proof, and then back. The server
 * decides, also when the router of the browser shows the page.
 */
export function requireFresh(seconds: number, options: FreshOptions = {}): PageMiddleware {
  return proofGuard({ ...options, maxAge: seconds })
}

/** The same for a number of factors in the session. */
export function requireFactors(factors: 1 | 2, options: FactorOptions = {}): PageMiddleware {
  return proofGuard({ ...options, factors })
}

function proofGuard(needed: NeededProof): PageMiddleware {
  return async ({ fullPath }) => {
    const app = useNuxtApp()
    const event = useRequestEvent()
    const page = addressOf(fullPath)
    if (event) {
      // It renders the page of an error, which is asked for at another address.
      if (app.payload.error) return false
      const { latchkeyProof: ask } = event.context
      if (!ask)
        throw new Error(
          `the page ${fullPath} needs a proof of identity, so the server must render it for each visitor: remove \`prerender\`, \`swr\`, \`isr\` and \`cache\` from its route rules`,
        )
      const answer = await ask({ ...needed, redirectTo: needed.redirectTo ?? page })
      return answer && app.runWithContext(() => follow(answer))
    }
    // The server decided when it rendered this page.
    if (app.isHydrating && app.payload.serverRendered) return undefined
    const next = await nextFor(needed, page, provided())
    if (next === undefined) return undefined
    return app.runWithContext(() => navigateTo(next, { external: true }))
  }
}

/** Leads the visitor of a page that the server renders where a response says. */
function follow({ status, headers }: Response): false | Promise<false> {
  const location = headers.get('location')
  return location === null
    ? abortNavigation({ statusCode: status })
    : navigateTo(location, { external: true, redirectCode: status })
}

/** Asks the service. @returns the page with which the visitor must begin; `undefined` if the session has the proof. */
async function nextFor(
  { redirectTo, ...needed }: NeededProof,
  page: string,
  { $latchkey: { ask }, $latchkeyPath: basePath }: Provided,
): Promise<string | undefined> {
  try {
    const callbackUrl = redirectTo ?? page
    const { next } = (await ask('reauthenticate/need', { ...needed, callbackUrl })) as {
      next?: string
    }
    return next
  } catch (error) {
    if (error instanceof ClientError && error.code === 'unauthenticated')
      return signInPage(basePath, page)
    throw error
  }
}
