import type { CookieSpec } from '../../http/cookies.ts'
import { hash } from '../../http/csrf-token.ts'
import type { EmailConfig } from '../../options/provider-options.ts'
import type { Plan } from '../../plan.ts'
import type { AuthRequest } from '../../request.ts'
import type { Store } from '../../store/store.ts'

/** Seconds that a link works. */
const LINK_MAX_AGE = 600

/** An e-mail provider as its flow needs it. */
export interface EmailFlow {
  readonly plan: Plan
  readonly config: EmailConfig
  readonly store: Store
  /** Seconds. */
  readonly maxAge: number
  readonly confirmation: 'never' | 'other-browser' | 'always'
  /** Knows the browser that asked for a mail. */
  requestCookie(request: AuthRequest): CookieSpec
  /** What is stored instead of a token, for each secret that may have made it; the first is current. */
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
