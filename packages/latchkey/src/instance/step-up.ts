import { definedOnly } from '../base/encoding/defined-only.ts'
import { AuthError, StepUpRequired } from '../base/errors.ts'
import { problemTexts } from '../base/texts/en.ts'
import { bearerToken } from '../http/bearer-token.ts'
import { trusted, withParams } from '../http/safe-url.ts'
import type { SessionPlan } from '../plan/plan.ts'
import { acrOf, factorsOf } from '../session/proof/factors.ts'
import { acrFor, meets, type Need } from '../session/proof/step-up.ts'
import { sessionRequest } from '../session/session-request.ts'
import type { CurrentSession, SessionRequest } from '../session/strategy.ts'
import { proofPage } from '../sign-in/need-fresh.ts'
import { wholeNeed } from '../sign-in/whole-need.ts'
import { usable } from './arrival.ts'
import { resolveReader } from './reading.ts'
import type { Site } from './site.ts'
import type { ProofOfSession, StepUpFunctions } from './types.ts'

/** Creates the functions that ask for a recent or stronger proof of identity. */
export function createStepUp(site: Site): StepUpFunctions {
  const read = async (
    input: Request | Headers,
  ): Promise<{ plan: SessionPlan; current: CurrentSession | null }> => {
    const asking = await resolveReader(input, site)
    if (!asking) throw new AuthError('the session could not be read; the log says why')
    const { plan, asked } = asking
    needTimes(plan)
    return { plan, current: await plan.session.current(asked) }
  }

  const require: StepUpFunctions['requireProof'] = async (input, needed) => {
    const { plan, current } = await read(input)
    const need = await wholeNeed(current, needed, plan)
    if (!current || !(await meets(current, need, plan.ports)))
      throw new StepUpRequired('the proof of identity is too old or too weak for this', {
        needed: { ...needed },
      })
    return proofOf(current, plan)
  }

  return {
    async facts(input) {
      const { plan, current } = await read(input)
      return current && proofOf(current, plan)
    },
    requireProof: require,
    requireFresh: (input, maxAge, options = {}) => require(input, { ...options, maxAge }),
    requireFactors: (input, factors, options = {}) => require(input, { ...options, factors }),
    async stepUpResponse(request, needed) {
      const arrival = await site.arrive(request)
      const plan = usable(arrival)
      const asked = sessionRequest(request, arrival.origin)
      return answer(request, asked, needed, arrival.origin, plan)
    },
  }
}

/** @throws {AuthError} if no session says when its user proved their identity: a sign-in would not help. */
function needTimes({ watch, session }: SessionPlan): void {
  if (watch && (session.name === 'jwt' || watch.knows)) return
  throw new AuthError(
    'no session says when its user proved their identity; add sessions() of latchkey/plugins/sessions to `plugins`',
  )
}

async function proofOf(
  { facts, holder }: CurrentSession,
  { plugins }: SessionPlan,
): Promise<ProofOfSession> {
  const known = await facts.known()
  const { auth_time: authTime, second_time: secondTime, amr = [], device } = known
  const { userId = '' } = facts
  const unproved = plugins?.accounts.unproved
  // At the edge only the session itself knows.
  const isUnproved = unproved ? await unproved.has(userId) : known['unproved'] === true
  return {
    sid: await facts.sid(),
    userId: facts.userId,
    ...definedOnly({ authTime, secondTime, holder, device }),
    ...(isUnproved && { address: 'unproved' as const }),
    amr,
    acr: acrOf(amr),
    factors: factorsOf(amr).count,
  }
}

async function answer(
  request: Request,
  asked: SessionRequest,
  { redirectTo, asPage, ...needed }: Parameters<StepUpFunctions['stepUpResponse']>[1],
  origin: string,
  plan: SessionPlan,
): Promise<Response> {
  const current = await plan.session.current(asked)
  const need = await wholeNeed(current, needed, plan)
  const isOfProgram = current?.holder !== undefined || plan.session.isCarried(asked)
  if (isOfProgram || bearerToken(request.headers) !== undefined) return challenge(need)
  const { pathname, search } = new URL(request.url)
  const here = origin + pathname + search
  const isPage = asPage ?? wantsPage(request)
  const from = isPage && isRead(request) ? here : cameFrom(request, origin)
  const callbackUrl = await plan.resolveRedirect(redirectTo ?? from, origin)
  const next = current
    ? await proofPage(current, need, callbackUrl, plan)
    : trusted(withParams(plan.pages.signIn || `${plan.basePath}/signin`, { callbackUrl }))
  if (isPage) return new Response(null, { status: 303, headers: { ...UNCACHED, location: next } })
  const code = current ? 'reauthentication_required' : 'unauthenticated'
  const { text } = plan.texts(request).with({ en: problemTexts })
  const status = current ? 403 : 401
  const body = {
    type: 'about:blank',
    title: text(`problem.${code}`),
    status,
    code,
    next,
    ...(current && membersOf(need)),
  }
  return Response.json(body, {
    status,
    headers: { ...UNCACHED, 'content-type': 'application/problem+json' },
  })
}

const UNCACHED = { 'cache-control': 'private, no-cache, no-store' }

const membersOf = (need: Need): object =>
  definedOnly({ max_age: need.maxAge, acr_values: acrFor(need) })

/** Returns the challenge for a program, whose user proves it where the program got its token (RFC 9470). */
function challenge(need: Need): Response {
  const parameters = Object.entries({
    error: 'insufficient_user_authentication',
    error_description: 'A different authentication level is required',
    ...membersOf(need),
  })
  const fields = parameters.map(([name, value]) => `${name}="${String(value)}"`).join(', ')
  return Response.json(
    {
      type: 'about:blank',
      title: 'A different authentication level is required',
      status: 401,
      code: 'insufficient_user_authentication',
      ...membersOf(need),
    },
    {
      status: 401,
      headers: {
        ...UNCACHED,
        'content-type': 'application/problem+json',
        'www-authenticate': `Bearer ${fields}`,
      },
    },
  )
}

const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD'

/** Returns whether a browser shows the response as a page. */
function wantsPage({ headers }: Request): boolean {
  const mode = headers.get('sec-fetch-mode')
  if (mode !== null && mode !== 'navigate') return false
  return headers.get('accept')?.includes('text/html') ?? false
}

/** Returns the page that sent a request, if it is of this site. */
function cameFrom({ headers }: Request, origin: string): string {
  const referrer = headers.get('referer') ?? ''
  return URL.canParse(referrer) && new URL(referrer).origin === origin ? referrer : origin
}
