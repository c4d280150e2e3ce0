import type { CookieSpec } from '../../http/cookies/cookies.ts'
import { hash } from '../../http/cookies/csrf-token.ts'
import type { AuthRequest } from '../../http/request.ts'
import type { EmailConfig } from '../../options/provider-options.ts'
import type { Plan } from '../../plan/plan.ts'
import type { Store } from '../../store/store.ts'

/** Seconds that a link works. */
const LINK_MAX_AGE = 600

/** A compiled mail provider. */
export interface EmailFlow {
  readonly plan: Plan
  readonly config: EmailConfig
  readonly store: Store
  /** Seconds. */
  readonly maxAge: number
  readonly confirmation: 'never' | 'other-browser' | 'always'
  /** Returns the cookie of the browser that requested a mail. */
  requestCookie(request: AuthRequest): CookieSpec
  /** Returns the stored hash of a token for each secret in the list. The first one is current. */
  hashes(token: string): Promise<[string, ...string[]]>
}

export function createEmailFlow(config: EmailConfig, plan: Plan, store: Store): EmailFlow {
  const secrets = config.secret ? [config.secret] : plan.hashSecrets
  return {
    plan,
    config,
    store,
    maxAge: config.maxAge ?? LINK_MAX_AGE,
    confirmation: config.confirmation ?? 'other-browser',
    requestCookie: ({ secure }) => plan.cookies(secure).emailRequest,
    hashes: (token) =>
      Promise.all(secrets.map((secret) => hash(token, secret))) as Promise<[string, ...string[]]>,
  }
}
