import type { Host, SiteRequest } from '../../../entries/plugin.ts'
import type { JudgedCount, LimitsHooks, Settings } from '../settings.ts'

/** What is known about an attempt when it is decided whether it needs the answer to a challenge. */
export interface Suspicion {
  readonly action: string
  readonly request: SiteRequest
  readonly identifier?: string | undefined
  /** Whether the half of a rule by network or identifier is used. */
  readonly isHalfUsed: boolean
  readonly counts: readonly JudgedCount[]
  /** Whether a rule is used up that asks for a challenge. */
  readonly isOver: boolean
  /** Whether the user signed in with this browser before; `undefined` if it is not known who the user is. */
  readonly isKnown: boolean | undefined
}

/** Asks the hook of the application. Without a challenge, it may still refuse an attempt. */
export async function decisionOf(
  { action, request, identifier, isHalfUsed, counts, isKnown }: Suspicion,
  host: Host,
  { hooks }: Settings,
): Promise<Awaited<ReturnType<NonNullable<LimitsHooks['decide']>>>> {
  return hooks.decide?.({
    action,
    request: request.original,
    identifier,
    address: await host.site.clientAddress(request.original),
    isKnownBrowser: isKnown === true,
    device: isKnown ? 'known' : 'new',
    isHalfUsed,
    counts,
  })
}
