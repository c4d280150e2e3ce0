import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { markMounted, notesOf } from '../base/instance-notes.ts'
import type { Session } from '../entries/index.ts'
import type { DirectAnswer } from '../http/direct.ts'
import { withClientAddress } from '../http/origin/client-address.ts'
import { isForOne, isOfOne, keepNodeFromCaches } from './caching.ts'
import { guard, withProof } from './mounted.ts'
import { directAnswer } from './node-direct.ts'
import { toWebRequest, withBody } from './node-http.ts'
import { noticing } from './notices.ts'
import type {
  ActionHandler,
  Authorize,
  FactorOptions,
  FreshOptions,
  PageGuard,
  ProofGuard,
  SessionReader,
} from './parts.ts'
import { inOrder } from './per-event.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Returns the session, or `null`. If the session is due for extension and the headers are not sent yet, it is
     * extended on the reply. Further calls return the same session.
     */
    auth(): Promise<Session | null>
  }
}

export interface FastifyAuthOptions {
  /** The result of `createLatchkey`. */
  readonly latchkey: ActionHandler & SessionReader<unknown>
  /** The base path of the configuration, below which the actions are. @default '/auth' */
  readonly basePath?: string
}

/**
 * A plugin for Fastify 4 and 5: `app.register(authHandler, { latchkey })`. It handles the actions, parses their forms, and
 * adds `request.auth()` to every request. The option `trustProxy` of the application determines whether the headers of
 * a proxy are trusted.
 */
export async function authHandler(
  app: FastifyInstance,
  { latchkey, basePath = '/auth' }: FastifyAuthOptions,
): Promise<void> {
  const notice = noticing(notesOf(latchkey))
  markMounted(latchkey)
  app.decorateRequest('auth')
  app.addHook('onRequest', async (request, reply) => {
    notice.proxy(request.raw.headers, request.protocol, 'the option `trustProxy` of Fastify')
    let reading: Promise<Session | null> | undefined
    request.auth = () => (reading ??= read(latchkey, request, reply))
  })
  // In its own scope, so that the parsers of the application do not change.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request, body) => body)
    scope.route({
      method: ['GET', 'POST'],
      url: `${basePath}/*`,
      handler: async (request, reply) => {
        const { raw, originalUrl: target, ip: client } = request
        const address = { origin: originOf(request), target, client }
        const answering = directAnswer(latchkey, raw, reply.raw, address)
        if (answering) return sendDirect((await answering).answer, reply)
        const asked = withBody(webRequestOf(request), request.raw, request.body)
        return sendReply(await latchkey.handler(asked), reply)
      },
    })
  })
}

// The decorations are for the whole application, not only for the scope of the plugin.
Object.assign(authHandler, { [Symbol.for('skip-override')]: true })

/**
 * @deprecated Use {@link authHandler}.
 * @alias
 */
export const fastifyAuth: typeof authHandler = authHandler

/**
 * Returns a function that returns the session of a request, or `null`, with the session type of the configuration. It is the
 * session of `request.auth()`.
 */
export function authSession<S>(
  _latchkey: SessionReader<S>,
): (request: FastifyRequest) => Promise<S | null> {
  return (request) => request.auth() as Promise<S | null>
}

/** @deprecated Use {@link authSession}: `authSession(latchkey)(request)`. */
export function sessionOf<S>(
  latchkey: SessionReader<S>,
  request: FastifyRequest,
): Promise<S | null> {
  return authSession(latchkey)(request)
}

/**
 * A hook that allows only requests with a session: `{ preHandler: requireAuth(latchkey) }`. Redirects other visitors to
 * the sign-in page, and responds to scripts with 401.
 *
 * @param authorized decides which users may continue; all of them by default.
 */
export function requireAuth<S>(
  latchkey: PageGuard<S>,
  authorized?: Authorize<S>,
): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> {
  const notice = noticing(notesOf(latchkey))
  return async (request, reply) => {
    const asked = webRequestOf(request)
    const verdict = await guard(latchkey, asked, authorized)
    notice.led(verdict.response, latchkey)
    setCookies(reply, verdict.headers.getSetCookie())
    if (verdict.response) {
      await sendReply(verdict.response, reply)
      // The client has disconnected: Fastify would continue.
      return reply.sent ? reply : reply.hijack()
    }
    if (verdict.open) reply.raw.on('close', () => notice.unanswered(verdict, reply.raw.statusCode))
    request.auth = () => Promise.resolve(verdict.session as Session | null)
    return undefined
  }
}

/**
 * Allows only users whose last proof of identity is at most so many seconds old; with a second factor in the account, the last
 * proof with one. Others are led to the page that asks for a proof, and scripts get 403 with its address in `next`.
 */
export function requireFresh<S>(
  latchkey: PageGuard<S> & ProofGuard,
  seconds: number,
  options: FreshOptions = {},
): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> {
  return requireAuth(latchkey, withProof(latchkey, { ...options, maxAge: seconds }))
}

/** Allows only users who proved this number of factors in their session. Others are led to the page that asks for them. */
export function requireFactors<S>(
  latchkey: PageGuard<S> & ProofGuard,
  factors: 1 | 2,
  options: FactorOptions = {},
): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> {
  return requireAuth(latchkey, withProof(latchkey, { ...options, factors }))
}

/** Returns the web `Request` for other functions of Latchkey, without its body. */
export function webRequestOf(request: FastifyRequest): Request {
  const { raw, originalUrl, ip } = request
  return withClientAddress(toWebRequest(raw, originOf(request), originalUrl), ip)
}

function originOf({ protocol, host, hostname }: FastifyRequest): string {
  // Fastify 4 has no `host`; its `hostname` has the port, that of Fastify 5 does not.
  return `${protocol}://${host ?? hostname}`
}

/** Sends a web `Response`, with each cookie in its own header. */
export async function sendReply(response: Response, reply: FastifyReply): Promise<FastifyReply> {
  reply.code(response.status)
  for (const [name, value] of response.headers) {
    if (name !== 'set-cookie') reply.header(name, value)
  }
  setCookies(reply, response.headers.getSetCookie())
  if (isForOne(response.headers)) keepReplyFromCaches(reply)
  return reply.send(response.body ?? undefined)
}

function sendDirect(
  answer: DirectAnswer['answer'],
  reply: FastifyReply,
): FastifyReply | Promise<FastifyReply> {
  if (answer instanceof Response) return sendReply(answer, reply)
  const { status, headers, cookies, body } = answer
  reply.code(status)
  for (const name in headers) reply.header(name, headers[name] ?? '')
  setCookies(reply, cookies)
  if (isOfOne(cookies, headers['cache-control'] ?? '')) keepReplyFromCaches(reply)
  // As bytes, since Fastify adds a charset to the type of strings.
  return reply.send(body === null ? undefined : new TextEncoder().encode(body))
}

async function read(
  latchkey: SessionReader<unknown>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Session | null> {
  const { session, headers } = await latchkey.session(webRequestOf(request))
  if (!reply.sent) setCookies(reply, headers.getSetCookie())
  return session as Session | null
}

function setCookies(reply: FastifyReply, cookies: readonly string[]): void {
  if (cookies.length === 0) return
  const before = [reply.getHeader('set-cookie') ?? []].flat().map(String)
  // Removed first, because Fastify adds to existing cookies.
  reply.removeHeader('set-cookie').header('set-cookie', inOrder(before, cookies))
  keepReplyFromCaches(reply)
}

/** The headers of a reply become those of the response of Node.js later. */
function keepReplyFromCaches(reply: FastifyReply): void {
  const told = reply.getHeader('cache-control')
  if (told !== undefined) reply.raw.setHeader('cache-control', String(told))
  keepNodeFromCaches(reply.raw)
}
