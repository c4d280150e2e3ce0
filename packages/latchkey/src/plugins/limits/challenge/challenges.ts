import {
  type ChallengePart,
  formText,
  type Host,
  html,
  type JsonObject,
  markup,
  type SiteRequest,
} from '../../../entries/plugin.ts'
import { tellSecurity } from '../../../entries/plugin-accounts.ts'
import type { Settings } from '../settings.ts'
import type { LimitsTextKey } from '../texts.ts'
import { decisionOf, type Suspicion } from './decide.ts'
import type { Failures } from './failures.ts'
import type { ChallengeContext, ChallengePort, ChallengeResult } from './port.ts'

/** The challenges of attempts. */
export interface Challenges {
  /** Checks the answer in a form, or the given one. */
  check(
    action: string,
    request: SiteRequest,
    answer: string | undefined,
  ): Promise<ChallengeResult | 'missing'>
  /** Decides whether an attempt needs the answer to a challenge, or is refused in any case. */
  judge(suspicion: Suspicion): Promise<'allow' | 'challenge' | 'refuse'>
  /** Returns what a program needs to answer. */
  ask(action: string, request: SiteRequest): Promise<{ id: string; parameters: JsonObject }>
  /** Returns what a form needs. */
  part(action: string, request: SiteRequest): Promise<ChallengePart>
}

/** What a process remembers. */
export interface ChallengeState {
  readonly failures: Failures
  /** Until when the service of the challenge is not asked, in milliseconds since the epoch. */
  downUntil: number
}

/** Characters of an answer. */
const LONGEST = 8192
/** Milliseconds in which a service is not asked after it could not be reached. */
const PAUSE = 60_000

/** Returns the answer in a form. Programs may always send it as `challenge`. */
function answerIn(form: SiteRequest['form'], port: ChallengePort): string | undefined {
  const names = [port.field, ...(port.otherFields ?? []), 'challenge']
  return names.map((name) => formText(form ?? {}, name)).find((text) => text)
}

export function createChallenges(
  host: Host,
  settings: Settings,
  port: ChallengePort,
  state: ChallengeState,
): Challenges {
  const { ports } = host

  async function contextOf(action: string, request: SiteRequest): Promise<ChallengeContext> {
    const address = await host.site.clientAddress(request.original)
    const factor = state.failures.factor(ports.now())
    return { action, request, address, factor, fetch: ports.fetch, host }
  }

  async function verify(
    asked: ChallengePort,
    answer: string | undefined,
    context: ChallengeContext,
  ): Promise<ChallengeResult | 'missing'> {
    if (answer === undefined || answer === '') return 'missing'
    const result = answer.length > LONGEST ? 'failed' : await asked.verify(answer, context)
    if (result === 'failed') {
      await tellSecurity(host, {
        type: 'challenge.failed',
        outcome: 'failure',
        reason: context.action,
      })
    }
    return result
  }

  const isDown = (): boolean => ports.now() < state.downUntil

  /** Notes that the service cannot be reached, so that it is not asked again for a while. */
  function noteDown(): void {
    state.downUntil = ports.now() + PAUSE
    host.logger.warn(
      'challenge-unavailable',
      `the service of the challenge ${port.id} cannot be reached`,
    )
  }

  /** The challenge that is asked for now. */
  function current(): ChallengePort {
    const other = isDown() ? port.whenUnavailable : undefined
    return typeof other === 'object' ? other : port
  }

  return {
    async check(action, request, given) {
      const context = await contextOf(action, request)
      const answerOf = (asked: ChallengePort): string | undefined =>
        given ?? answerIn(request.form ?? {}, asked)
      if (!isDown()) {
        const is = await verify(port, answerOf(port), context)
        if (is !== 'unavailable') return is
        noteDown()
      }
      const { whenUnavailable: other = 'refuse' } = port
      if (other === 'refuse') return 'unavailable'
      return other === 'allow' ? 'passed' : verify(other, answerOf(other), context)
    },
    async judge(suspicion) {
      const { action, request, isHalfUsed, isOver, isKnown } = suspicion
      const { isBot } = settings.hooks
      const decided = await decisionOf(suspicion, host, settings)
      if (decided) return decided
      if (isOver) return 'challenge'
      const { challengeWhen: when } = settings
      if (typeof when === 'function') {
        return (await when({ action, request: request.original })) ? 'challenge' : 'allow'
      }
      if (when !== 'suspicious') return when === 'always' ? 'challenge' : 'allow'
      if (isKnown) return 'allow'
      const isSuspicious =
        isHalfUsed ||
        state.failures.factor(ports.now()) > 1 ||
        (await isBot?.({ action, request: request.original })) === true
      return isSuspicious ? 'challenge' : 'allow'
    },
    async ask(action, request) {
      const context = await contextOf(action, request)
      const asked = current()
      return { id: asked.id, parameters: (await asked.parameters?.(context)) ?? {} }
    },
    async part(action, request) {
      const part = await current().render(await contextOf(action, request))
      const { text } = await host.site.text<LimitsTextKey>(request)
      const other = html`<a href="${host.site.path('signin')}">${text('limits:challenge.other')}</a>`
      return {
        ...part,
        field: html`${markup(part.field)}<noscript><p>${text('limits:challenge.without-script')} ${markup(other)}</p></noscript>`,
      }
    },
  }
}
