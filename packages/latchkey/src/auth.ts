import { readSession } from './actions/session.ts'
import { compile } from './compile/compile.ts'
import { haveSameMembers } from './compile/same-members.ts'
import { excerpt } from './encoding/excerpt.ts'
import { isAuthError, toError, UnknownProvider, UntrustedHost } from './errors.ts'
import type { DirectAnswer } from './http/direct.ts'
import { readForm } from './http/form.ts'
import { type Arrived, type PendingRequest, requestOf } from './http/pending-request.ts'
import { loadOnce } from './once.ts'
import type { AuthConfig } from './options/auth-config.ts'
import type { raw } from './options/markers.ts'
import {
  json,
  type Outcome,
  type PublicError,
  type ResponseInternal,
  toDirectAnswer,
  toInternal,
  toResponse,
} from './outcome.ts'
import type { PlanPlugins, SessionPlan } from './plan.ts'
import { type Ports, systemPorts } from './ports.ts'
import { type AuthAction, type AuthRequest, parseRequest, splitUrl } from './request.ts'

/** The entry point: a request of the web in, a response out. */
export interface AuthFunction {
  (request: Request, config: AuthConfig & { raw: typeof raw }): Promise<ResponseInternal | Response>
  (request: Request, config: AuthConfig): Promise<Response>
}

/** An answer, and what went wrong where it leads to a page that tells the visitor so. */
export interface HandlerResult extends Partial<PublicError> {
  readonly response: Response
}

/** The entry point in a world of its own, for tests and for runtimes with a clock or network of theirs. */
export interface AuthCore {
  readonly auth: AuthFunction
  /** The same without `config.raw`, and what went wrong. */
  result(request: Request, config: AuthConfig): Promise<HandlerResult>
  /** The same for a server that has no `Request` and needs no `Response`. */
  direct(request: PendingRequest, config: AuthConfig): Promise<DirectAnswer>
  /** The configuration after every default and derivation; kept as long as the configuration does not change. */
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
 * Answers a request below the base path.
 *
 * The address of the site is taken from the request's URL and from nothing else.
 *
 * @returns with `config.raw` the {@link ResponseInternal}; errors of the service are thrown then.
 */
export const Auth: AuthFunction = core.auth

/** The same without `config.raw`, and what went wrong. */
export const authResult: AuthCore['result'] = core.result

/** The same for a server that writes answers itself. */
export const authDirect: AuthCore['direct'] = core.direct

/** The plan of a configuration in the real world. */
export const planOf: AuthCore['plan'] = core.plan

/** Compiles a configuration once, and again when one of its members is no longer the same. */
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
  if (plan.plugins) {
    const { origin, pathname } = splitUrl(input.url)
    if (plan.plugins.answers(pathname)) {
      return write(
        await answerOfPlugin(requestOf(input), origin, plan, plan.plugins),
        wantsUrl ? origin : undefined,
      )
    }
  }
  let request: AuthRequest
  try {
    const arriving = parseRequest(input, plan)
    request = arriving
    const refusal = refusalOf(request.origin, plan)
    if (refusal) throw refusal
    if (request.method === 'POST') request = arriving.withForm(await readForm(requestOf(input)))
  } catch (error) {
    plan.logger.error(toError(error))
    plan.logger.debug('request', () => ({ method: input.method }))
    return writeFailure({ ...json('Bad request.'), status: 400 })
  }
  if (plan.fault) {
    plan.logger.error(plan.fault)
    return writeFailure(await (await loadAnswers()).faultAnswer(request, plan))
  }

  try {
    const atOnce = request.method === 'GET' ? AT_ONCE[request.action] : undefined
    const outcome = atOnce
      ? await atOnce(request, plan)
      : await (await loadAnswers()).answer(request, plan)
    return write(outcome, wantsUrl ? request.origin : undefined)
  } catch (error) {
    if (error instanceof UnknownProvider) plan.logger.warn('unknown-provider', error.message)
    else plan.logger.error(toError(error))
    if (plan.raw && isAuthError(error) && !wantsUrl) throw error
    return writeFailure(await (await loadAnswers()).failure(error, request, plan, wantsUrl))
  }
}

/** A plugin says itself what goes wrong. */
async function answerOfPlugin(
  input: Request,
  origin: string,
  plan: SessionPlan,
  plugins: PlanPlugins,
): Promise<Outcome> {
  const fault = plan.fault ?? refusalOf(origin, plan)
  if (!fault) return plugins.answer(input)
  plan.logger.error(fault)
  return { ...json('Bad request.'), status: plan.fault ? 500 : 400 }
}

/** Most requests ask who is signed in. What answers all others is loaded when the first of them comes. */
const AT_ONCE: Readonly<Partial<Record<AuthAction, typeof readSession>>> = { session: readSession }

const loadAnswers = loadOnce(() => import('./answers.ts'))

/** Why a request for this origin is not answered. */
export function refusalOf(origin: string, plan: SessionPlan): UntrustedHost | undefined {
  if (plan.trustsOrigin(origin)) return undefined
  const host = JSON.stringify(excerpt(new URL(origin).host))
  return new UntrustedHost(`the host ${host} is not in \`trustHost\` (or AUTH_TRUST_HOST)`)
}
