import {
  type Cookie,
  type CookieSpec,
  clearChunked,
  clearCookie,
  type Host,
  type JsonObject,
  readChunked,
  type SessionRequest,
  setCookie,
  writeChunked,
} from '../../../entries/plugin.ts'
import type { CookieMemory } from '../renewal/memory.ts'
import type { Settings } from '../settings.ts'
import type { Content } from './content.ts'
import { latestOf } from './latest.ts'

const NAME = 'latchkey.provider-tokens'
/** A prefix of the value of a cookie that contains an error. Without it, reading a session does not open the cookie. */
const MARK = 'x.'
/** The largest size of session and tokens together, in characters. Common proxies refuse headers of 16 kB. */
const MOST = 15_000
/** Seconds for which a failure is kept. */
const FAILED_AGE = 120

/** A refused renewal, which another process may have caused by renewing first. */
export interface Failure {
  readonly g: string
  /** In milliseconds since the epoch. */
  readonly at: number
}

/** The cookies of tokens. Each is bound to the id of its session, and cannot be opened for another one. */
export interface TokenJar {
  has(request: SessionRequest): boolean
  /**
   * Returns whether the cookie is marked as containing an error. A visitor can add the mark, which only causes an
   * unnecessary read.
   */
  hasError(request: SessionRequest): boolean
  open(request: SessionRequest, sid: string): Promise<Content | undefined>
  /**
   * @param around the session cookies of the same response, if there are any.
   * @throws TypeError if the tokens do not fit.
   */
  write(
    request: SessionRequest,
    sid: string,
    content: Content,
    until: number,
    around?: readonly Cookie[],
  ): Promise<Cookie[]>
  /** @throws TypeError if the tokens do not fit. */
  check(request: SessionRequest, sid: string, content: Content, until: number): Promise<void>
  clear(request: SessionRequest): Cookie[]
  failure(request: SessionRequest, sid: string): Promise<Failure | undefined>
  writeFailure(request: SessionRequest, sid: string, failure: Failure): Promise<Cookie>
  clearFailure(request: SessionRequest): Cookie[]
}

export function createJar(
  host: Host,
  { cookie: { path, budget } }: Settings,
  memory: CookieMemory,
): TokenJar {
  const sealer = host.keys.sealer('provider-tokens-cookie')
  const failures = host.keys.sealer('provider-tokens-failed')

  const spec = ({ secure }: SessionRequest): CookieSpec => {
    const { options } = host.site.cookies(secure).sessionToken
    const prefix = options.secure ? '__Secure-' : ''
    return { name: prefix + NAME, options: { ...options, path, httpOnly: true, sameSite: 'lax' } }
  }
  const failedSpec = ({ secure }: SessionRequest): CookieSpec => {
    const isSecure = host.site.cookies(secure).sessionToken.options.secure === true
    return {
      name: `${isSecure ? '__Host-' : ''}${NAME}-failed`,
      options: { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure, maxAge: FAILED_AGE },
    }
  }
  const valueOf = (request: SessionRequest): string | undefined =>
    readChunked(request.cookies, spec(request).name)

  /** Returns the size of the session cookie, in characters. */
  function sessionLength(request: SessionRequest, set: readonly Cookie[]): number {
    const { name } = host.site.cookies(request.secure).sessionToken
    const pieces = set.filter((cookie) => cookie.name.startsWith(name))
    if (pieces.some(({ value }) => value !== ''))
      return pieces.reduce((sum, { value }) => sum + value.length, 0)
    return readChunked(request.cookies, name)?.length ?? 0
  }

  const limitFor = (request: SessionRequest, around: readonly Cookie[]): number =>
    Math.min(budget, MOST - sessionLength(request, around))

  /** Returns the sealed content that fits. @throws TypeError if not even the refresh tokens fit. */
  async function sealed(
    given: Content,
    sid: string,
    until: number,
    limit: number,
  ): Promise<{ text: string; content: Content }> {
    const maxAge = Math.max(1, Math.ceil((until - host.ports.now()) / 1000))
    for (let content = given; ; ) {
      const data = JSON.parse(JSON.stringify(content)) as JsonObject
      const text = await sealer.seal(data, { key: sid, maxAge })
      if (text.length <= limit) return { text, content }
      const smaller = withoutOldest(content)
      if (!smaller)
        throw new TypeError(
          `the cookie with the tokens of providers has ${text.length} characters, but only ${limit} fit in addition to the session; request fewer scopes, store less in the session, or use an adapter with records`,
        )
      content = smaller
    }
  }

  return {
    has: (request) => valueOf(request) !== undefined,
    hasError: (request) => valueOf(request)?.startsWith(MARK) === true,
    async open(request, sid) {
      const value = valueOf(request)
      if (value === undefined) return undefined
      const text = value.startsWith(MARK) ? value.slice(MARK.length) : value
      return (await sealer.open(text, { key: sid })) as unknown as Content | undefined
    },
    async check(request, sid, content, until) {
      await sealed(content, sid, until, limitFor(request, []))
    },
    async write(request, sid, given, until, around = []) {
      const limit = limitFor(request, around)
      const latest = { ...given, p: await latestOf(given.p, host, memory) }
      const { text, content } = await sealed(latest, sid, until, limit)
      if (text.length > limit * 0.8)
        host.logger.warn('provider-tokens-size', `${text.length} of ${limit} characters are used`)
      const marked = Object.values(content.p).some(({ x }) => x === 1) ? MARK + text : text
      const expires = content.b === 1 ? undefined : new Date(until)
      return writeChunked(request.cookies, spec(request), marked, expires)
    },
    clear: (request) => clearChunked(request.cookies, spec(request)),
    async failure(request, sid) {
      const value = request.cookies.get(failedSpec(request).name)
      return value === undefined
        ? undefined
        : ((await failures.open(value, { key: sid })) as unknown as Failure | undefined)
    },
    async writeFailure(request, sid, failure) {
      const data = { ...failure }
      const sealed = await failures.seal(data, { key: sid, maxAge: FAILED_AGE })
      return setCookie(failedSpec(request), sealed)
    },
    clearFailure(request) {
      const failed = failedSpec(request)
      return request.cookies.get(failed.name) === undefined ? [] : [clearCookie(failed)]
    },
  }
}

/** Returns the content without the oldest access token, which its refresh token can replace. */
function withoutOldest({ p, ...others }: Content): Content | undefined {
  const [oldest] = Object.entries(p)
    .filter(([, { a, r }]) => a !== undefined && r !== undefined)
    .toSorted(([, one], [, other]) => one.o - other.o)
  if (!oldest) return undefined
  const [provider, { a: _, ...kept }] = oldest
  return { ...others, p: { ...p, [provider]: kept } }
}
