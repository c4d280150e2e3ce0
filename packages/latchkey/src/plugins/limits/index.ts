/**
 * Limits attempts by network, typed identifier, user and session.
 *
 * @module
 */

import type { PluginOption } from '../../entries/plugin.ts'
import type { LimitsApi } from './api.ts'
import { defineLimits } from './define.ts'
import { finderOf } from './parts.ts'
import { type ClientAddress, type LimitsOptions, settingsOf } from './settings.ts'

export type { ChallengePart, LimitBy, LimitRule, LimitRules } from '../../entries/plugin.ts'
export { withClientAddress } from '../../entries/plugin.ts'
export type { LimitSubject, LimitsApi, PeekedLimit } from './api.ts'
export type { ChallengeContext, ChallengePort, ChallengeResult } from './challenge/port.ts'
export type {
  AttemptAtAction,
  ClientAddress,
  JudgedAttempt,
  JudgedCount,
  LimitsHooks,
  LimitsOptions,
} from './settings.ts'

/**
 * Limits attempts: sign-ins with a password, mails to an address, codes, passkeys, every POST, and what other plugins
 * limit. Needs an adapter that counts attempts, unless `store` is `process`.
 *
 * @throws TypeError for an invalid option.
 */
export function limits(options: LimitsOptions = {}): PluginOption<'limits', LimitsApi> {
  return defineLimits(settingsOf(options))
}

/**
 * Creates a function that finds the address of a client, for servers without a request of the web.
 *
 * @param client the source of the address, as for {@link limits}.
 * @throws TypeError for an invalid network.
 */
export async function clientFinder(
  client?: ClientAddress,
): Promise<
  (
    connection: string | undefined,
    header: (name: string) => string | null | undefined,
  ) => string | undefined
> {
  return finderOf(client)
}
