import { excerpt } from '../base/encoding/excerpt.ts'
import {
  isAuthError,
  toError,
  UnknownAction,
  UnknownProvider,
  UntrustedHost,
} from '../base/errors.ts'
import { loadOnce } from '../base/once.ts'
import { type Ports, systemPorts } from '../base/ports.ts'
import type { DirectAnswer } from '../http/direct.ts'
import { readForm } from '../http/form.ts'
import {
  json,
  type Outcome,
  type PublicError,
  type ResponseInternal,
  redirect,
  toDirectAnswer,
  toInternal,
  toResponse,
} from '../http/outcome.ts'
import { type Arrived, type PendingRequest, requestOf } from '../http/pending-request.ts'
import {
  type AuthAction,
  type AuthRequest,
  parseRequest,
  siteRequest,
  splitUrl,
} from '../http/request.ts'
import type { AuthConfig } from '../options/auth-config.ts'
import type { raw } from '../options/markers.ts'
import type { SessionPlan } from '../plan/plan.ts'
import { readSession } from './actions/session.ts'
import { compile } from './compile/compile.ts'
import { haveSameMembers } from './compile/same-members.ts'

/** The entry point: takes a web `Request` and returns a `Response`. */
export interface AuthFunction {
  (request: Request, config: AuthConfig & { raw: typeof raw }): Promise<ResponseInternal | Response>
  (request: Request, config: AuthConfig): Promise<Response>
}

/** A response, and the error if the response leads to a page that reports it. */
export interface HandlerResult extends Partial<PublicError> {
  readonly response: Response
}

/** The entry point with its own ports, for tests and for runtimes with a different clock or network. */
export interface AuthCore {
  readonly auth: AuthFunction
  /** The same without `config.raw`; also returns the error. */
  result(request: Request, config: AuthConfig): Promise<HandlerResult>
  /** The same for a server that uses neither `Request` nor `Response`. */
  direct(request: PendingRequest, config: AuthConfig): Promise<DirectAnswer>
  /** Returns the configuration with all defaults and derived values; cached until the configuration changes. */
  plan(config: AuthConfig): SessionPlan
}

export function createAuth(ports: Ports = systemPorts): AuthCore {
  const plan = planner(ports)
  const auth = (request: Request, config: AuthConfig): Promise<ResponseInternal | Response> => {
    const known = plan(config)
    return handle<ResponseInternal | Response>(
      request,
      known,
      known.raw ? toInternal : toResponse,
      toResponse,
    )
  }
  return {
    auth: auth as AuthFunction,
    result: (request, config) => handle(request, plan(config), toResult, toResult),
    direct: (request, config) => handle(request, plan(config), toDirectAnswer, toDirectAnswer),
    plan,
  }
}

function toResult(outcome: Outcome, base?: string): HandlerResult {
  const error = outcome.kind === 'redirect' ? outcome.error : undefined
  return { response: toResponse(outcome, base), ...error }
}

const core: AuthCore = createAuth()

/**
 * Handles a request below the base path.
 *
 * The site's origin comes only from the URL of the request.
 *
 * @returns the {@link ResponseInternal} with `config.raw`; the function then throws errors of the library.
 */
export const Auth: AuthFunction = core.auth

/** The same without `config.raw`; also returns the error. */
export const authResult: AuthCore['result'] = core.result

/** The same for a server that writes responses itself. */
export const authDirect: AuthCore['direct'] = core.direct

/** Returns the plan of a configuration with the ports of this runtime. */
export const planOf: AuthCore['plan'] = core.plan

/** Compiles a configuration once, and again if one of its members is another object or value. */
function planner(ports: Ports): AuthCore['plan'] {
  const plans = new WeakMap<AuthConfig, { plan: SessionPlan; seen: AuthConfig }>()
  return (config) => {
    const known = plans.get(config)
    if (known && (Object.isFrozen(config) || haveSameMembers(known.seen, config))) return known.plan
    const plan = compile(config, ports)
    plans.set(config, { plan, seen: { ...config } })
    return plan
  }
}

async function handle<Answer>(
  input: Arrived,
  plan: SessionPlan,
  write: (outcome: Outcome, base?: string) => Answer,
  writeFailure: (outcome: Outcome) => Answer,
): Promise<Answer> {
  const wantsUrl = input.headers.has('x-auth-return-redirect')
  const url = splitUrl(input.url)
  if (plan.plugins) {
    const route = plan.plugins.router.find(url.pathname)
    if (route) {
      const outcome =
        refusalOfPlugin(url.origin, plan) ??
        (await inChosen(input, plan)) ??
        (await plan.plugins.router.answer(siteRequest(input, url, plan), route))
      return write(inLanguage(outcome, input, plan), wantsUrl ? url.origin : undefined)
    }
  }
  let request: AuthRequest
  try {
    const arriving = parseRequest(input, plan, url)
    request = arriving
    const refusal = refusalOf(request.origin, plan)
    if (refusal) throw refusal
    if (request.method === 'POST') request = arriving.withForm(await readForm(requestOf(input)))
  } catch (error) {
    return writeFailure(inLanguage(await unusableRequest(error, input, plan), input, plan))
  }
  if (plan.fault) {
    plan.logger.error(plan.fault)
    return writeFailure(await (await loadAnswers()).faultAnswer(request, plan))
  }

  try {
    const atOnce = request.method === 'GET' ? AT_ONCE[request.action] : undefined
    const outcome = atOnce
      ? await atOnce(request, plan)
      : ((await inChosen(input, plan)) ?? (await (await loadAnswers()).answer(request, plan)))
    return write(inLanguage(outcome, input, plan), wantsUrl ? request.origin : undefined)
  } catch (error) {
    if (error instanceof UnknownProvider) plan.logger.warn('unknown-provider', error.message)
    else plan.logger.error(toError(error))
    if (plan.raw && isAuthError(error) && !wantsUrl) throw error
    const outcome = await (await loadAnswers()).failure(error, request, plan, wantsUrl)
    return writeFailure(inLanguage(outcome, input, plan))
  }
}

/** Loads the language of a request. @returns the response to a visitor who chose another one. */
async function inChosen(input: Arrived, { languages }: SessionPlan): Promise<Outcome | undefined> {
  const chosen = await languages?.arrive(input)
  return chosen && redirect(chosen.to, chosen.cookies)
}

/** Says in which language a page or a problem is, where visitors have a choice. */
function inLanguage(outcome: Outcome, { headers }: Arrived, { languages }: SessionPlan): Outcome {
  if (!languages || (outcome.kind !== 'page' && !isProblem(outcome))) return outcome
  const language = { 'content-language': languages.loaded(headers) }
  return { ...outcome, headers: { ...outcome.headers, ...language } }
}

const isProblem = ({ headers }: Outcome): boolean =>
  headers?.['content-type'] === 'application/problem+json'

/** Returns the response to a request that cannot be read, or whose host is not trusted. */
async function unusableRequest(
  error: unknown,
  input: Arrived,
  plan: SessionPlan,
): Promise<Outcome> {
  const isShown = error instanceof UnknownAction && isPageVisit(input)
  if (isShown) await plan.languages?.arrive(input)
  const page = isShown ? await (await loadAnswers()).noSuchPage(input, plan) : undefined
  if (page?.kind !== 'redirect') plan.logger.error(toError(error))
  plan.logger.debug('request', () => ({ method: input.method }))
  return page ?? { ...json('Bad request.'), status: 400 }
}

/** Returns whether a person opened an address in a browser. */
function isPageVisit({ method, headers }: Arrived): boolean {
  return method === 'GET' && headers.get('accept')?.includes('text/html') === true
}

/** Returns the response to every request for a route of a plugin that the configuration or the origin does not allow. */
function refusalOfPlugin(origin: string, plan: SessionPlan): Outcome | undefined {
  const fault = plan.fault ?? refusalOf(origin, plan)
  if (!fault) return undefined
  plan.logger.error(fault)
  return { ...json('Bad request.'), status: plan.fault ? 500 : 400 }
}

/** Most requests read the session. The module for all other requests is loaded with the first of them. */
const AT_ONCE: Readonly<Partial<Record<AuthAction, typeof readSession>>> = { session: readSession }

const loadAnswers = loadOnce(() => import('./dispatch.ts'))

/** Returns the error for a request to an origin that is not trusted. */
export function refusalOf(origin: string, plan: SessionPlan): UntrustedHost | undefined {
  if (plan.trustsOrigin(origin)) return undefined
  const host = JSON.stringify(excerpt(new URL(origin).host))
  return new UntrustedHost(
    `the host ${host} is not in \`trustHost\` (or AUTH_TRUST_HOST); add it if the site is served there`,
  )
}
