import {
  definePlugin,
  type Host,
  type PendingSignIn,
  type RecordKind,
  recordKind,
} from 'latchkey/plugin'

// Everybody accepts the terms once, and again when there are new ones.

export interface TermsOptions {
  /** Of the terms that hold today. Who accepted others is asked again. */
  version: string
}

export interface TermsApi {
  /** The version that somebody accepted last; `null` for none. */
  accepted(request: Request): Promise<string | null>
}

/** The version that a user accepted last. The key of a record is the user's id. */
interface Acceptance {
  readonly version: string
}

/** What the routes are given. */
export interface Terms {
  readonly host: Host
  readonly version: string
  readonly acceptances: RecordKind<Acceptance>
}

export const terms = ({ version }: TermsOptions) =>
  definePlugin<'terms', TermsApi, Terms>({
    name: 'terms',
    needs: ['records'],
    gate: 'require',
    routes: {
      terms: {
        GET: { who: 'pending', run: async () => (await import('./routes.ts')).showTerms },
        POST: { who: 'pending', run: async () => (await import('./routes.ts')).acceptTerms },
      },
      'terms/status': {
        GET: { who: 'user', run: async () => (await import('./routes.ts')).status },
      },
    },
    setUp(host) {
      const acceptances = recordKind<Acceptance>(host, 'terms', {
        shape: ({ version: accepted }) =>
          typeof accepted === 'string' ? { version: accepted } : undefined,
      })
      const acceptedBy = async (userId: string): Promise<string | null> =>
        (await acceptances.get(userId))?.data.version ?? null
      return {
        own: { host, version, acceptances },
        api: {
          async accepted(request) {
            const current = await host.sessions.current(request)
            return current?.user.id ? acceptedBy(current.user.id) : null
          },
        },
        async atGate({ user }: PendingSignIn) {
          const accepted = user.id ? await acceptedBy(user.id) : null
          return accepted === version ? undefined : host.site.path('terms')
        },
      }
    },
  })
