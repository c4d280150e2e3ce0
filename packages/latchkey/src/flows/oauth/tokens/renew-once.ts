import type { Awaitable } from '../../../base/awaitable.ts'
import type { Ports } from '../../../base/ports.ts'
import type { RenewableTokens, TokenAnswer } from '../../../plugin/provider-client.ts'

/** Milliseconds for which a process waits for the renewal of another one. */
const LONGEST_WAIT = 16_000
/** Milliseconds between two reads while another process renews, and the random part of the pause. */
const [PAUSE, JITTER] = [100, 200]

/** The subject of the ID token of a sign-in. */
export interface TokenSubject {
  readonly iss: string
  readonly sub: string
  readonly aud: string | readonly string[]
}

/** Tokens to renew. */
export interface DueTokens {
  readonly tokens: RenewableTokens
  /** ID tokens of renewals must have the same subject (OpenID Connect Core section 12.2). */
  readonly subject?: TokenSubject | undefined
}

/** Where tokens are stored: how they are read, and written after a renewal. */
export interface TokenShelf<Result> {
  /** Identifies the tokens among all that the process knows. */
  readonly key: string
  /**
   * Milliseconds of the pause after a failure of the provider: the first and the longest. The pause doubles with each
   * failure.
   */
  readonly rests: readonly [first: number, longest: number]
  /** Acquires the lease for the renewal; `null` if another process has it. */
  acquire(): Promise<{ release(): Promise<void> } | null>
  /**
   * Reads the tokens as they are stored now.
   *
   * @param isOurs whether this process has the lease, so that it renews them next. Otherwise it waits.
   * @returns the result if there is one without a renewal, for example from another process. `undefined` if another
   *   process wrote the tokens meanwhile, so that everything begins again.
   */
  read(
    isOurs: boolean,
  ): Promise<{ readonly result: Result } | { readonly due: DueTokens } | undefined>
  /** Stores renewed tokens. */
  write(answer: Extract<TokenAnswer, { kind: 'tokens' }>): Promise<Result>
  /** Stores a refusal of the provider. */
  refuse(refusal: { readonly code: string; readonly error: Error }): Promise<Result>
  /** Reports a failure of the provider. */
  report(error: Error): void
  /**
   * Returns the result if the tokens cannot be renewed now.
   *
   * @param error of the provider; without it, another process takes too long.
   */
  unavailable(error?: Error): Awaitable<Result>
}

/** The memory of a process, by the keys of shelves. */
export interface RenewalMemory<Result> {
  readonly running: Map<string, Promise<Result>>
  /** Until when no request is sent, in milliseconds since the epoch, and the result until then. */
  readonly paused: Map<string, PausedRenewal<Result>>
}

export interface PausedRenewal<Result> {
  readonly until: number
  /** Milliseconds. */
  readonly pause: number
  result(): Awaitable<Result>
}

/** The services of a renewal. */
export interface RenewalServices<Result> {
  readonly memory: RenewalMemory<Result>
  readonly ports: Pick<Ports, 'now' | 'random'>
  /** Sends the token request to the provider. */
  refresh(tokens: RenewableTokens): Promise<TokenAnswer>
}

/**
 * Renews tokens, once for all concurrent calls of this process and of all others with the same store. Only the process
 * with the lease sends the request, and the others wait for its result.
 */
export async function renewOnce<Result>(
  shelf: TokenShelf<Result>,
  services: RenewalServices<Result>,
): Promise<Result> {
  const { key } = shelf
  const { running, paused } = services.memory
  const known = running.get(key)
  if (known) return known
  const resting = paused.get(key)
  if (resting && resting.until > services.ports.now()) return resting.result()
  const work = renew(shelf, services).finally(() => running.delete(key))
  running.set(key, work)
  return work
}

async function renew<Result>(
  shelf: TokenShelf<Result>,
  services: RenewalServices<Result>,
): Promise<Result> {
  for (let waited = 0; ; ) {
    const lease = await shelf.acquire()
    if (lease) {
      try {
        const done = await renewNow(shelf, services)
        if (done) return done.result
        continue
      } finally {
        await lease.release().catch(() => undefined)
      }
    }
    const found = await shelf.read(false)
    if (found && 'result' in found) return found.result
    if (waited >= LONGEST_WAIT) return shelf.unavailable()
    const [byte = 0] = services.ports.random(1)
    const pause = PAUSE + (byte / 256) * JITTER
    await new Promise((resolve) => {
      setTimeout(resolve, pause)
    })
    waited += pause
  }
}

async function renewNow<Result>(
  shelf: TokenShelf<Result>,
  { memory: { paused }, ports, refresh }: RenewalServices<Result>,
): Promise<{ readonly result: Result } | undefined> {
  const found = await shelf.read(true)
  if (!found || 'result' in found) return found
  const { tokens, subject } = found.due
  const answer = await refresh(tokens)
  switch (answer.kind) {
    case 'unavailable': {
      rest(shelf, answer.error, paused, ports.now())
      shelf.report(answer.error)
      return { result: await shelf.unavailable(answer.error) }
    }
    case 'refused':
      return { result: await shelf.refuse(answer) }
    case 'tokens': {
      paused.delete(shelf.key)
      if (subject && isAboutAnother(answer, subject)) {
        const refusal = { code: 'id_token_of_another', error: new Error(ABOUT_ANOTHER) }
        return { result: await shelf.refuse(refusal) }
      }
      return { result: await shelf.write(answer) }
    }
  }
}

const ABOUT_ANOTHER = 'the ID token of the renewal has another subject than that of the sign-in'

/** Begins or extends the pause after a failure. */
function rest<Result>(
  { key, rests: [first, longest], unavailable }: TokenShelf<Result>,
  error: Error,
  paused: RenewalMemory<Result>['paused'],
  now: number,
): void {
  const pause = Math.min((paused.get(key)?.pause ?? first / 2) * 2, longest)
  // Drops the oldest first, so that a failing provider costs each user the same.
  for (const [each, { until }] of paused) {
    if (until + longest > now) break
    paused.delete(each)
  }
  paused.delete(key)
  paused.set(key, { until: now + pause, pause, result: () => unavailable(error) })
}

function isAboutAnother(
  { claims }: Extract<TokenAnswer, { kind: 'tokens' }>,
  { iss, sub, aud }: TokenSubject,
): boolean {
  if (!claims) return false
  const audience = (of: unknown): string => JSON.stringify([of].flat().map(String).toSorted())
  return claims['iss'] !== iss || claims['sub'] !== sub || audience(claims['aud']) !== audience(aud)
}
