import type { ReadAction } from './actions/action.ts'
import { toOwnPage } from './actions/own-page.ts'
import { builtInErrorPage } from './actions/pages.ts'
import { compile } from './compile/compile.ts'
import { haveSameMembers } from './compile/same-members.ts'
import {
  ErrorPageLoop,
  errorPageOf,
  isAuthError,
  MissingCSRF,
  publicErrorCode,
  toError,
  UnknownAction,
  UntrustedHost,
} from './errors.ts'
import type { Cookie } from './http/cookies.ts'
import { readForm } from './http/form.ts'
import { trusted, withParams } from './http/safe-url.ts'
import type { AuthConfig } from './options/auth-config.ts'
import type { raw } from './options/markers.ts'
import {
  json,
  type Outcome,
  type ResponseInternal,
  redirect,
  toInternal,
  toResponse,
  withCookies,
} from './outcome.ts'
import type { Plan } from './plan.ts'
import { type Ports, systemPorts } from './ports.ts'
import { type AuthRequest, parseRequest } from './request.ts'
import { type Route, routes } from './routes.ts'
import { isCsrfVerified, readVisit } from './sign-in/visit.ts'

/** The entry point: a request of the web in, a response out. */
export interface AuthFunction {
  (request: Request, config: AuthConfig & { raw: typeof raw }): Promise<ResponseInternal | Response>
  (request: Request, config: AuthConfig): Promise<Response>
}

/** The entry point in a world of its own, for tests and for runtimes with a clock or network of theirs. */
export interface AuthCore {
  readonly auth: AuthFunction
  /** The configuration after every default and derivation; kept as long as the configuration does not change. */
  plan(config: AuthConfig): Plan
}

export function createAuth(ports: Ports = systemPorts): AuthCore {
  const plan = planner(ports)
  const auth = (request: Request, config: AuthConfig): Promise<ResponseInternal | Response> =>
    handle(request, plan(config))
  return { auth: auth as AuthFunction, plan }
}

const core: AuthCore = createAuth()

/**
 * Answers a request below the base path.
 *
 * The address of the site is taken from the request's URL and from nothing else.
 *
 * @returns with `config.raw` the {@link ResponseInternal}; errors of the service are thrown then.
 */
export const Auth: AuthFunction = core.auth

/** The plan of a configuration in the real world. */
export const planOf: AuthCore['plan'] = core.plan

/** Compiles a configuration once, and again when one of its members is no longer the same. */
function planner(ports: Ports): AuthCore['plan'] {
  const plans = new WeakMap<AuthConfig, { plan: Plan; seen: AuthConfig }>()
  return (config) => {
    const known = plans.get(config)
    if (known && (Object.isFrozen(config) || haveSameMembers(known.seen, config))) return known.plan
    const plan = compile(config, ports)
    plans.set(config, { plan, seen: { ...config } })
    return plan
  }
}

async function handle(input: Request, plan: Plan): Promise<ResponseInternal | Response> {
  let request: AuthRequest
  try {
    const arriving = parseRequest(input, plan.basePath)
    request = arriving
    const refusal = refusalOf(request.origin, plan)
    if (refusal) throw refusal
    if (request.method === 'POST') request = arriving.withForm(await readForm(input))
  } catch (error) {
    plan.logger.error(toError(error))
    plan.logger.debug('request', () => ({ method: input.method }))
    return toResponse({ ...json('Bad request.'), status: 400 })
  }
  if (plan.fault) return toResponse(await configurationFailure(plan.fault, request, plan))

  const wantsUrl = input.headers.has('x-auth-return-redirect')
  try {
    const outcome = await run(request, plan)
    return plan.raw
      ? toInternal(outcome)
      : toResponse(outcome, wantsUrl ? request.origin : undefined)
  } catch (error) {
    plan.logger.error(toError(error))
    if (plan.raw && isAuthError(error) && !wantsUrl) throw error
    return failure(error, request, plan, wantsUrl)
  }
}

/** What was asked and what is answered: names only, no values. */
function describe(
  { action, method, providerId }: AuthRequest,
  { kind, cookies = [] }: Outcome,
): object {
  const names = cookies.map(({ name, options }) => (options.maxAge === 0 ? `no ${name}` : name))
  return { action, method, provider: providerId, kind, names }
}

/** Why a request for this origin is not answered. */
export function refusalOf(origin: string, plan: Plan): UntrustedHost | undefined {
  if (plan.trustsOrigin(origin)) return undefined
  const host = JSON.stringify(new URL(origin).host)
  return new UntrustedHost(`the host ${host} is not in \`trustHost\` (or AUTH_TRUST_HOST)`)
}

function run(request: AuthRequest, plan: Plan): Promise<Outcome> {
  const route: Route | undefined = routes[request.action][request.method]
  if (!route || (request.method === 'GET' && request.action === 'signin' && request.providerId)) {
    throw new UnknownAction(`${request.action} is not answered by ${request.method}`)
  }
  if (route.kind === 'read' && !route.csrf) return route.run(request, plan)
  return route.kind === 'read' ? guarded(route.run, request, plan) : visited(route, request, plan)
}

async function guarded(answer: ReadAction, request: AuthRequest, plan: Plan): Promise<Outcome> {
  if (!(await isCsrfVerified(request, plan))) throw missingCsrf()
  return answer(request, plan)
}

async function visited(
  route: Extract<Route, { kind: 'visit' }>,
  request: AuthRequest,
  plan: Plan,
): Promise<Outcome> {
  const visit = await readVisit(request, plan)
  if (route.csrf && !visit.csrfVerified) throw missingCsrf()
  const outcome = withCookies(await route.run(request, plan, visit), visit.cookies)
  if (request.providerId) plan.logger.debug('answer', () => describe(request, outcome))
  return outcome
}

function missingCsrf(): MissingCSRF {
  return new MissingCSRF('the CSRF token is missing or wrong, or another site sent the form')
}

/** Actions that programs ask for, not people. */
const FOR_PROGRAMS: ReadonlySet<string> = new Set([
  'csrf',
  'providers',
  'session',
  'webauthn-options',
])

/** An error becomes an answer: here and nowhere else. */
export async function failure(
  error: unknown,
  request: AuthRequest,
  plan: Plan,
  wantsUrl: boolean,
): Promise<Response> {
  if (request.action === 'session' && request.method === 'POST') {
    return toResponse({ ...json(null), status: 400 })
  }
  if (request.method === 'GET' && FOR_PROGRAMS.has(request.action) && !wantsUrl) {
    return toResponse({ ...json({ message: SEE_LOG }), status: 500 })
  }
  const page = errorPageOf(error)
  const params: Record<string, string> = { error: publicErrorCode(error) }
  if (isAuthError(error) && error.type === 'CredentialsSignin' && 'code' in error) {
    params['code'] = String(error.code)
  }
  const path = plan.pages[page] || `${plan.basePath}/${PATHS[page]}`
  const url = withParams(new URL(path, request.origin).href, params)
  const cookies = await cookiesOfFailure(request, plan)
  return toResponse(wantsUrl ? json({ url }, cookies) : redirect(trusted(url), cookies))
}

const PATHS = { signIn: 'signin', error: 'error' } as const

const SEE_LOG = 'The server could not answer this. Its operator finds the details in the log.'

/** A failed first form leaves a CSRF cookie with which the next one works; a failed callback, no check behind. */
async function cookiesOfFailure(request: AuthRequest, plan: Plan): Promise<readonly Cookie[]> {
  if (!['callback', 'signin', 'signout'].includes(request.action)) return []
  // What failed may fail again here, and must not take the answer with it.
  const settled = await Promise.allSettled([
    readVisit(request, plan).then(({ cookies }) => cookies),
    forgotten(request, plan),
  ])
  return settled.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
}

async function forgotten(request: AuthRequest, plan: Plan): Promise<readonly Cookie[]> {
  const provider = request.action === 'callback' ? plan.provider(request.providerId) : undefined
  return (await provider?.forget(request)) ?? []
}

/** The configuration cannot be used: said in the log in detail, to the visitor in general. */
async function configurationFailure(
  fault: Error,
  request: AuthRequest,
  plan: Plan,
): Promise<Outcome> {
  plan.logger.error(fault)
  const isPage =
    request.method === 'GET' && !FOR_PROGRAMS.has(request.action) && request.action !== 'callback'
  if (!isPage) return { ...json({ message: NOT_SET_UP }), status: 500 }

  const own = plan.pages.error
  if (own && request.query.get('callbackUrl')?.startsWith(own)) {
    plan.logger.error(new ErrorPageLoop('the error page `pages.error` asks for a session itself'))
  } else if (own) {
    const url = new URL(own, request.origin).href
    const answer = toOwnPage(url, request, { error: 'Configuration' })
    if (answer) return answer
  }
  return builtInErrorPage(request, plan, 'Configuration')
}

const NOT_SET_UP = 'The server is not set up correctly. Its operator finds the details in the log.'
