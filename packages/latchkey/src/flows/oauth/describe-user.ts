import { definedOnly } from '../../base/encoding/defined-only.ts'
import { isJsonObject } from '../../base/encoding/json.ts'
import { lowerCase } from '../../base/encoding/lower-case.ts'
import { formatUuid } from '../../base/encoding/uuid.ts'
import { OAuthProfileParseError, toError } from '../../base/errors.ts'
import type { TokenSet } from '../../model/account.ts'
import type { Profile } from '../../model/profile.ts'
import type { IdentifiedUser, User } from '../../model/user.ts'
import type { OAuthFlow } from './oauth-flow.ts'

const NO_STABLE_ID =
  'the profile has no stable identifier; return a string or a whole number as `id` from `profile`'

/** Returns the provider's user with an id of Latchkey, and the identifier that the provider has for them. */
export async function describeUser(
  flow: OAuthFlow,
  profile: Profile,
  tokens: TokenSet,
): Promise<{ user: IdentifiedUser; accountId: string }> {
  const { plan, id } = flow
  const made = await mapProfile(flow, profile, tokens)
  const accountId = stableId(made.id)
  if (accountId === undefined) {
    if (plan.store) {
      throw new OAuthProfileParseError(NO_STABLE_ID, { provider: id })
    }
    plan.logger.warn('account-id-missing', `provider ${id}: ${NO_STABLE_ID}`)
  }
  const user: IdentifiedUser = {
    ...made,
    id: formatUuid(plan.ports.random(16)),
    // An empty address counts as none: otherwise the next user without one would be a duplicate.
    ...(typeof made.email === 'string'
      ? { email: made.email.trim() === '' ? null : lowerCase(made.email) }
      : {}),
  }
  return { user, accountId: accountId ?? formatUuid(plan.ports.random(16)) }
}

/** @throws {OAuthProfileParseError} if the provider's `profile` callback fails, or does not return a user. */
async function mapProfile(flow: OAuthFlow, profile: Profile, tokens: TokenSet): Promise<User> {
  let made: unknown
  try {
    made = await (flow.config.profile ?? defaultProfile)(profile, tokens)
  } catch (error) {
    throw new OAuthProfileParseError(toError(error), { provider: flow.id })
  }
  if (!isJsonObject(made) || typeof (made['email'] ?? '') !== 'string') {
    const message = '`profile` must return an object whose `email`, if any, is a string'
    throw new OAuthProfileParseError(message, { provider: flow.id })
  }
  return made
}

/** Returns a string or a whole number as a string. Other values may change from one sign-in to the next. */
function stableId(id: unknown): string | undefined {
  if (typeof id === 'number' && Number.isSafeInteger(id)) return String(id)
  return typeof id === 'string' && id.trim() !== '' && !NO_IDS.has(id) ? id : undefined
}

/** Results of `String(id)` for a missing identifier, which would be the same for all users. */
const NO_IDS: ReadonlySet<string> = new Set(['undefined', 'null', 'NaN', '[object Object]'])

/** OpenID Connect Core section 5.1. */
function defaultProfile(profile: Profile): User {
  const { sub, id, name, nickname, preferred_username: username, email, picture } = profile
  return definedOnly({
    id: sub ?? id ?? undefined,
    name: name ?? nickname ?? username ?? undefined,
    email: email ?? undefined,
    image: picture ?? undefined,
  })
}
