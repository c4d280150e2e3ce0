import type { AuthClient } from 'latchkey/client'

export interface TermsStatus {
  readonly accepted: string | null
  readonly current: string
}

/** What a page asks: `termsClient(createAuthClient()).status()`. */
export const termsClient = ({ ask }: Pick<AuthClient, 'ask'>) => ({
  /** Which terms the visitor accepted, and which hold. */
  status: () => ask('terms/status') as Promise<TermsStatus>,
})
