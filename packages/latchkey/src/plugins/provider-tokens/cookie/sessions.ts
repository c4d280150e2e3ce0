import {
  type Host,
  type JWT,
  type Proof,
  type Session,
  type SessionFacts,
  type SessionHooks,
  type SessionRequest,
  toError,
  type Written,
} from '../../../entries/plugin.ts'
import { tokensIn, withoutTokensIn } from '../adopted.ts'
import { withEnded } from '../connections/ended.ts'
import type { Settings } from '../settings.ts'
import { type Content, type Entry, entryOf } from './content.ts'
import type { TokenJar } from './jar.ts'

interface Services {
  readonly host: Host
  readonly settings: Settings
  readonly jar: TokenJar
  isKept(provider: string): boolean
}

/** Returns the hooks that set, extend and clear a cookie of tokens with the cookie of the session. */
export function besideSessions({ host, settings, jar, isKept }: Services): SessionHooks {
  /** Returns the tokens of a sign-in, and those of the browser that stay valid. All belong to the same user. */
  async function tokensFor({
    account,
    user,
    request,
    replaces,
    dpop,
  }: Proof): Promise<Content['p']> {
    const old = (replaces && (await jar.open(request, await replaces.sid()))?.p) ?? {}
    const isSame = user.id !== undefined && replaces?.userId === String(user.id)
    const { provider } = account
    const client = isKept(provider) ? await host.providers.client(provider) : undefined
    // A second sign-in with the same account may omit the refresh token.
    const before = Object.hasOwn(old, provider) ? old[provider] : undefined
    const entry = client && entryOf(account, client, { host, settings }, before, dpop)
    return { ...(isSame && old), ...(entry && { [provider]: entry }) }
  }

  /** Adds the ended connections to the session for the browser. */
  async function withErrors(
    session: Session,
    facts: SessionFacts,
    request: SessionRequest,
  ): Promise<Session> {
    const content = await jar.open(request, await facts.sid())
    const ended = Object.entries(content?.p ?? {}).flatMap(([provider, { x }]) =>
      x === 1 ? [provider] : [],
    )
    return withEnded(session, ended, host, settings)
  }

  /** Returns the tokens in the claims of a sealed session, and the claims without them. */
  async function taken(token: JWT): Promise<{ p: Content['p']; left: JWT }> {
    let left = token
    const p: Record<string, Entry> = {}
    for (const names of settings.adopted) {
      const found = tokensIn(token, names)
      const client = found && (await host.providers.client(names.provider))
      if (!client) continue
      const account = {
        ...found,
        provider: names.provider,
        providerAccountId: '',
        type: client.type,
      }
      const entry = entryOf(account, client, { host, settings }, undefined)
      if (!entry) continue
      p[names.provider] = entry
      left = withoutTokensIn(left, names)
    }
    return { p, left }
  }

  /** Tokens in the cookie are newer than those in the claims. */
  const withOld = (p: Content['p'], old: Content | undefined): Content => ({
    ...old,
    p: { ...p, ...old?.p },
  })

  /**
   * Returns the new content of the cookie; `undefined` if there is none, or if it belongs to another session or secret.
   */
  async function contentFor(
    session: SessionFacts,
    { request, proof, from, before }: Written,
  ): Promise<Content | undefined> {
    if (proof) return { p: await tokensFor(proof) }
    const old = await jar.open(request, await (from ?? session).sid())
    return before ? withOld((await taken(before)).p, old) : old
  }

  return {
    ...(settings.adopted.length > 0 && {
      async adopt(token, session, request, setsCookies) {
        if (!setsCookies) return undefined
        const { p, left } = await taken(token)
        if (left === token) return undefined
        try {
          const sid = await session.sid()
          const content = withOld(p, await jar.open(request, sid))
          // Claims are removed only if their tokens fit into the cookie.
          await jar.check(request, sid, content, session.expires)
          return left
        } catch (error) {
          host.logger.error(toError(error))
          return undefined
        }
      },
    }),
    async beforeIssue(session, proof) {
      const p = proof.holder ? {} : await tokensFor(proof)
      // If there is no room, the sign-in is refused before the session exists.
      if (Object.keys(p).length > 0)
        await jar.check(proof.request, await session.sid(), { p }, session.expires)
      return undefined
    },
    async afterWrite(session, written) {
      const { request, cookies, expires, isBrief, proof } = written
      // Programs have no cookies.
      if (proof?.holder || !(proof || written.before || jar.has(request))) return []
      const content = await contentFor(session, written)
      const old = proof ? jar.clearFailure(request) : []
      if (Object.keys(content?.p ?? {}).length === 0) return [...jar.clear(request), ...old]
      const beside = { p: {}, ...content, ...(isBrief && { b: 1 as const }) }
      const set = await jar.write(request, await session.sid(), beside, expires, cookies)
      return [...set, ...old]
    },
    afterClear: (request) => [...jar.clear(request), ...jar.clearFailure(request)],
    shown: (session, facts, { request }) =>
      jar.hasError(request) ? withErrors(session, facts, request) : session,
  }
}
