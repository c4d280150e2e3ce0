import { definedOnly, type TokenAnswer } from '../../../entries/plugin.ts'
import type { FurtherToken, Tokens } from '../records/grant.ts'

/** The largest number of further access tokens. The latest are kept. */
const MOST_FURTHER = 10

/** Returns the tokens with a further one. */
export function withFurther(before: Tokens, token: FurtherToken): Tokens {
  const others = (before.more ?? []).filter(({ key }) => key !== token.key)
  return { ...before, more: [token, ...others].slice(0, MOST_FURTHER) }
}

/**
 * Returns the tokens after a renewal. Members that the response omits stay. @param resource the resource of the new
 * access token, if it has one.
 */
export function renewed(
  before: Tokens,
  { tokens }: Extract<TokenAnswer, { kind: 'tokens' }>,
  resource: string | undefined,
  expires_at: number | undefined,
): Tokens {
  const { access_token, refresh_token, token_type, id_token, scope } = tokens
  if (resource !== undefined)
    return withFurther(
      { ...before, refresh_token: refresh_token ?? before.refresh_token },
      definedOnly({ key: resource, access_token, token_type, expires_at, scope }) as FurtherToken,
    )
  return {
    ...before,
    access_token,
    token_type: token_type ?? before.token_type,
    // The response omits a refresh token that did not change.
    refresh_token: refresh_token ?? before.refresh_token,
    id_token: id_token !== undefined && before.id_token !== undefined ? id_token : before.id_token,
  }
}
