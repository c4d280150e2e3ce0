import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { createWorld, type World } from '../../src/entries/testing.ts'
import type { Adapter } from '../../src/model/adapter.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import type { Theme } from '../../src/options/pages.ts'
import Credentials from '../../src/providers/credentials.ts'
import { email } from '../../src/providers/define.ts'
import { fromRight } from './pseudo-language.ts'

/** How a page is looked at. */
export interface Look {
  /** `ar` is a pseudo-language that runs from right to left. */
  readonly lang: 'en' | 'ar'
  /** One scheme only; the one of the browser by default. */
  readonly scheme?: 'light' | 'dark' | undefined
  /** When, in milliseconds since the epoch. @default {@link NOW} */
  readonly now?: number | undefined
}

/** When pages are looked at, unless a look says otherwise. */
export const NOW: number = Date.UTC(2026, 10, 27, 16, 40)

/** A page in one state. */
export interface PageState {
  /** In the form `group/name`, for example `sign-in/wrong-password`. */
  readonly name: string
  readonly open: (look: Look) => Promise<Response>
  /** Whether there is no other language. */
  readonly isEnglish?: boolean
}

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

/** Somebody with a browser, who looks at pages of a site. */
export interface Visitor {
  readonly world: World
  readonly adapter: Adapter
  /** The latest mail: its link as a path, and its code. */
  readonly mail: { readonly path: string; readonly code: string }
  /** Opens an address. Redirects within the site are followed. */
  get(path: string, headers?: Record<string, string>): Promise<Response>
  /** Sends a form, and follows redirects within the site. */
  post(path: string, fields?: Record<string, string>): Promise<Response>
  /** Signs in with the password of Ada, in this browser. */
  signIn(): Promise<void>
  otherBrowser(userAgent?: string): Visitor
}

interface Site {
  readonly config: Partial<AuthConfig>
  readonly look: Look
  readonly theme?: Theme | undefined
  readonly fetch?: typeof fetch | undefined
  readonly isMailBroken?: boolean | undefined
  readonly hasCode?: boolean | undefined
  /** Seconds between the begin and the time of the look. */
  readonly earlier?: number | undefined
}

/** A name of a site that is as long as names are. */
export const LONG_NAME = 'Allgemeine Genossenschaft der Vereinigten Gemüsebauern Süd'

const PASSWORD = 'open sesame'

/** The fields of a password form. */
export const password = Credentials({
  name: 'Password',
  credentials: {
    email: { type: 'email', label: 'Email address' },
    password: { type: 'password', label: 'Password' },
  },
  authorize: ({ password: given }) =>
    given === PASSWORD ? { id: 'ada', name: 'Ada Lovelace', email: 'ada@example.com' } : null,
})

/** A placeholder for the mail provider of {@link visit}. */
export const mail = email({ id: 'email', name: 'Email', sendVerificationRequest: () => {} })

/** Opens a site with one user, Ada. A provider `email` in the configuration is {@link mail}. */
export async function visit({
  config,
  look,
  theme,
  fetch,
  isMailBroken,
  hasCode,
  earlier = 0,
}: Site): Promise<Visitor> {
  const adapter = config.adapter ?? memoryAdapter()
  const latest = { path: '', code: '' }
  await adapter.createUser?.({
    id: 'ada',
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    emailVerified: new Date(0),
  })
  const providers = (config.providers ?? []).map((provider) =>
    provider === mail
      ? email({
          id: 'email',
          name: 'Email',
          code: hasCode === true,
          sendVerificationRequest({ url, code = '' }) {
            if (isMailBroken) throw new Error('the mail server does not answer')
            const { pathname, search } = new URL(url)
            Object.assign(latest, { path: pathname + search, code })
          },
        })
      : provider,
  )
  const world = createWorld(
    {
      session: { strategy: 'database' },
      ...config,
      adapter,
      providers,
      ...appearance(look, theme),
    },
    {
      origin: 'https://acme.example',
      startsAt: (look.now ?? NOW) - earlier * 1000,
      ...(fetch && { fetch }),
    },
  )
  return browser(world, adapter, latest, look.lang, FIREFOX)
}

/** The options that show a page in a look. */
export function appearance(look: Look, theme?: Theme): Pick<AuthConfig, 'texts' | 'theme'> {
  return {
    theme: { name: 'Acme', ...theme, ...(look.scheme && { colorScheme: look.scheme }) },
    texts: look.lang === 'en' ? {} : { [look.lang]: fromRight },
  }
}

function browser(
  world: World,
  adapter: Adapter,
  latest: Visitor['mail'],
  lang: string,
  userAgent: string,
): Visitor {
  const headers = {
    accept: 'text/html,application/xhtml+xml',
    'accept-language': lang,
    'sec-fetch-dest': 'document',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-site': 'same-origin',
    'user-agent': userAgent,
  }
  const follow = async (answer: Response): Promise<Response> => {
    let page = answer
    for (let hops = 0; hops < 5; hops++) {
      const to = page.headers.get('location')
      if (to === null) return page
      const { origin, pathname, search } = new URL(to, world.origin)
      if (origin !== world.origin) return page
      page = await world.get(pathname + search, { headers })
    }
    return page
  }
  const visitor: Visitor = {
    world,
    adapter,
    mail: latest,
    get: async (path, more) => follow(await world.get(path, { headers: { ...headers, ...more } })),
    post: async (path, fields = {}) => follow(await world.post(path, fields, { headers })),
    async signIn() {
      const answer = await world.post(
        '/auth/callback/credentials',
        { email: 'ada@example.com', password: PASSWORD },
        { headers },
      )
      if (!answer.headers.get('set-cookie')?.includes('session-token'))
        throw new Error(`Ada could not sign in: ${answer.headers.get('location')}`)
    },
    otherBrowser: (agent = FIREFOX) => browser(world.otherBrowser(), adapter, latest, lang, agent),
  }
  return visitor
}
