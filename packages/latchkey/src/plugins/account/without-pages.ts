import {
  type Answer,
  type Call,
  type PluginMethods,
  type PluginRoute,
  Problem,
} from '../../entries/plugin.ts'

/** Paths that have a page, and nothing for a program. */
const ONLY_PAGES: readonly string[] = [
  'account/profile',
  'account/security',
  'account/addresses',
  'account/data',
  'account/delete',
  'account/passkey-endpoints',
]
/** The page of a link in a mail, which is otherwise in the frame of the account. */
const LINKED = 'account/confirm-address'
/** Pages to which forms lead. */
export const PAGES: readonly string[] = [...ONLY_PAGES, 'account/passkeys', 'account/links']

/**
 * Returns the routes without the pages of the account, for an application that has its own. Pages to which mails and sign-ins lead
 * stay; after them, and after a form, a browser goes to its callback URL.
 */
export function withoutPages<Own>(
  routes: Readonly<Record<string, PluginMethods<Own>>>,
): Readonly<Record<string, PluginMethods<Own>>> {
  const left = Object.entries(routes).map(([path, methods]) => {
    const kept = Object.entries(methods)
      .filter(([method]) => method !== 'GET' || !ONLY_PAGES.includes(path))
      .map(([method, route]) => [method, withoutPage(route, path === LINKED)] as const)
    const rest: PluginMethods<Own> = Object.fromEntries(kept)
    return [path, rest] as const
  })
  return Object.fromEntries(left.filter(([, methods]) => Object.keys(methods).length > 0))
}

function withoutPage<Own>(route: PluginRoute<Own>, isLinked: boolean): PluginRoute<Own> {
  return {
    ...route,
    async run() {
      const run = await route.run()
      return async (call: Call<never>, own: Own) => {
        try {
          return stripped(await run(call, own), call, isLinked)
        } catch (error) {
          if (!(error instanceof Problem) || !isOfAccount(error)) throw error
          const { code, message, errors, headers, members, cookies } = error
          throw new Problem(code, message, { headers, members, cookies, ...(errors && { errors }) })
        }
      }
    },
  }
}

/** The way into a further step stays, for example to a provider. */
function stripped(
  { page, to, ...answer }: Answer,
  { callbackUrl }: Call<never>,
  isLinked: boolean,
): Answer {
  const [path = ''] = to?.split('?') ?? []
  const isGone = PAGES.some((each) => path.endsWith(`/${each}`))
  return {
    ...answer,
    page: isOfAccount({ page }) ? onCard(page, isLinked) : page,
    to: isGone ? callbackUrl : to,
  }
}

function onCard(page: Answer['page'], isLinked: boolean): Answer['page'] {
  return page && isLinked ? { ...page, layout: 'card' } : undefined
}

const isOfAccount = ({ page }: Pick<Answer, 'page'>): boolean => page?.layout === 'account'
