import { toError } from '../../../errors.ts'
import type { Cookie } from '../../../http/cookies.ts'
import type { JWT } from '../../../model/jwt.ts'
import type { Session } from '../../../model/session.ts'
import type { Host } from '../../../plugin-kit.ts'
import type { SessionFacts } from '../../../session/facts.ts'
import type { Proof, SessionRequest, SessionStrategy } from '../../../session/strategy.ts'
import type { SessionHooks } from '../../../session/watch.ts'
import { tokensIn, withoutTokensIn } from '../adopted.ts'
import { withEnded } from '../ended.ts'
import type { Settings } from '../settings.ts'
import { type Content, type Entry, entryOf } from './content.ts'
import type { TokenJar } from './jar.ts'

interface Services {
  readonly host: Host
  readonly settings: Settings
  readonly jar: TokenJar
  isKept(provider: string): boolean
}

/** A session that begins, and its tokens. */
interface Begun {
  readonly sid: string
  readonly until: number
  readonly p: Content['p']
}

/**
 * Keeps a cookie of tokens beside the cookie of the session: set with it, extended with it, and cleared with it.
 *
 * @returns what is put around how sessions are kept, and the hooks that tell it their names.
 */
export function besideSessions({ host, settings, jar, isKept }: Services): {
  around(kept: SessionStrategy): SessionStrategy
  hooks: SessionHooks
} {
  const begun = new WeakMap<SessionRequest, Begun>()
  /** The names that sessions get, by those that they had. */
  const renamed = new Map<string, string>()

  /** What a sign-in brings, and what the browser had, as far as it may go on: all of the same user's. */
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
    const client = isKept(provider) ? await host.provider(provider) : undefined
    // Of another sign-in, the same account gives its refresh token.
    const before = Object.hasOwn(old, provider) ? old[provider] : undefined
    const entry = client && entryOf(account, client, { host, settings }, before, dpop)
    return { ...(isSame && old), ...(entry && { [provider]: entry }) }
  }

  const isEnded = (cookies: readonly Cookie[], { secure }: SessionRequest): boolean => {
    const { name } = host.cookies(secure).sessionToken
    const set = cookies.filter((cookie) => cookie.name.startsWith(name))
    return set.length > 0 && set.every(({ value }) => value === '')
  }
  const sessionCookie = (
    cookies: readonly Cookie[],
    { secure }: SessionRequest,
  ): Cookie | undefined => {
    const { name } = host.cookies(secure).sessionToken
    return cookies.find((cookie) => cookie.name.startsWith(name) && cookie.value !== '')
  }

  /** Tells the browser which connections have ended. */
  async function withErrors(
    session: Session,
    request: SessionRequest,
    kept: SessionStrategy,
  ): Promise<Session> {
    const current = await kept.current(request)
    const content = current && (await jar.open(request, await current.facts.sid()))
    const ended = Object.entries(content?.p ?? {}).flatMap(([provider, { x }]) =>
      x === 1 ? [provider] : [],
    )
    return withEnded(session, ended, host, settings)
  }

  /** What was taken out of a session, and is written with the same answer. */
  const taken = new WeakMap<SessionRequest, Content>()

  async function adopt(
    token: JWT,
    session: SessionFacts,
    request: SessionRequest,
  ): Promise<JWT | undefined> {
    let left = token
    const p: Record<string, Entry> = {}
    for (const names of settings.adopted) {
      const found = tokensIn(token, names)
      const client = found && (await host.provider(names.provider))
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
    if (left === token) return undefined
    try {
      const sid = await session.sid()
      const before = await jar.open(request, sid)
      // What is in the cookie already is newer.
      const content = { ...before, p: { ...p, ...before?.p } }
      // Nothing is taken out that has no room here.
      await jar.check(request, sid, content, session.expires)
      taken.set(request, content)
      return left
    } catch (error) {
      host.logger.error(toError(error))
      return undefined
    }
  }

  return {
    hooks: {
      ...(settings.adopted.length > 0 && { adopt }),
      async beforeIssue(session, proof) {
        const { request } = proof
        const [sid, until] = [await session.sid(), session.expires]
        const p = await tokensFor(proof)
        // Where there is no room, the sign-in is refused before there is a session.
        if (Object.keys(p).length > 0) await jar.check(request, sid, { p }, until)
        begun.set(request, { sid, until, p })
        return undefined
      },
      async onRenew(from, to) {
        renamed.set(from.key, await to.sid())
        return undefined
      },
    },
    around: (kept) => ({
      ...kept,
      async issue(signedIn, request, proof) {
        const cookies = await kept.issue(signedIn, request, proof)
        const session = begun.get(request)
        const written = sessionCookie(cookies, request)
        if (!session || !written || Object.keys(session.p).length === 0)
          return [...cookies, ...jar.clear(request)]
        const { sid, until, p } = session
        const content: Content = { p, ...(isBrief(written) && { b: 1 as const }) }
        const beside = await jar.write(request, sid, content, until, cookies)
        return [...cookies, ...beside, ...jar.clearFailure(request)]
      },
      async read(request, how) {
        const reading = await kept.read(request, how)
        const adopted = taken.get(request)
        if (!jar.has(request) && !adopted) return reading
        const { session, cookies } = reading
        if (session === null && isEnded(cookies, request))
          return { ...reading, cookies: [...cookies, ...jar.clear(request)] }
        const extended = sessionCookie(cookies, request)
        if (session !== null && extended) {
          const current = await kept.current(request)
          const sid = current && (await current.facts.sid())
          const content = adopted ?? (sid ? await jar.open(request, sid) : undefined)
          // That of another session, or of another secret.
          if (!sid || !content) return { ...reading, cookies: [...cookies, ...jar.clear(request)] }
          const until = extended.options.expires?.getTime() ?? current.facts.expires
          const beside = await jar.write(request, sid, content, until, cookies)
          const told = jar.hasError(request) ? await withErrors(session, request, kept) : session
          return { ...reading, session: told, cookies: [...cookies, ...beside] }
        }
        return session !== null && jar.hasError(request)
          ? { ...reading, session: await withErrors(session, request, kept) }
          : reading
      },
      async renew(request, proof) {
        const current = jar.has(request) ? await kept.current(request) : null
        const content = current && (await jar.open(request, await current.facts.sid()))
        const cookies = await kept.renew(request, proof)
        const sid = current && renamed.get(current.facts.key)
        const written = cookies && sessionCookie(cookies, request)
        if (!cookies || !content || !sid || !written) return cookies
        renamed.delete(current.facts.key)
        const until = written.options.expires?.getTime() ?? current.facts.expires
        return [...cookies, ...(await jar.write(request, sid, content, until, cookies))]
      },
      async revoke(request) {
        const revoked = await kept.revoke(request)
        const cleared = [...jar.clear(request), ...jar.clearFailure(request)]
        return { ...revoked, cookies: [...revoked.cookies, ...cleared] }
      },
      forget: (request) => [...kept.forget(request), ...jar.clear(request)],
    }),
  }
}

function isBrief({ options }: Cookie): boolean {
  return options.expires === undefined && options.maxAge === undefined
}
