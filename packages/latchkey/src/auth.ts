import { readSession } from './actions/session.ts'
import { compile } from './compile/compile.ts'
import { haveSameMembers } from './compile/same-members.ts'
import { excerpt } from './encoding/excerpt.ts'
import { isAuthError, toError, UnknownProvider, UntrustedHost } from './errors.ts'
import { readForm } from './http/form.ts'
import { loadOnce } from './once.ts'
import type { AuthConfig } from './options/auth-config.ts'
import type { raw } from './options/markers.ts'
import { json, type ResponseInternal, toInternal, toResponse } from './outcome.ts'
import type { SessionPlan } from './plan.ts'
import { type Ports, systemPorts } from './ports.ts'
import { type AuthRequest, parseRequest } from './request.ts'

/** The entry point: a request of the web in, a response out. */
export interface AuthFunction {
  (request: Request, config: AuthConfig & { raw: typeof raw }): Promise<ResponseInternal | Response>
  (request: Request, config: AuthConfig): Promise<Response>
}

/** The entry point in a world of its own, for tests and for runtimes with a clock or network of theirs. */
export interface AuthCore {
  readonly auth: AuthFunction
  /** The configuration after every default and derivation; kept as long as the configuration does not change. */
  plan(config: AuthConfig): SessionPlan
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
  const plans = new WeakMap<AuthConfig, { plan: SessionPlan; seen: AuthConfig }>()
  return (config) => {
    const known = plans.get(config)
    if (known && (Object.isFrozen(config) || haveSameMembers(known.seen, config))) return known.plan
    const plan = compile(config, ports)
    plans.set(config, { plan, seen: { ...config } })
    return plan
  }
}

async function handle(input: Request, plan: SessionPlan): Promise<ResponseInternal | Response> {
  let request: AuthRequest
  try {
    const arriving = parseRequest(input, plan)
    request = arriving
    const refusal = refusalOf(request.origin, plan)
    if (refusal) throw refusal
    if (request.method === 'POST') request = arriving.withForm(await readForm(input))
  } catch (error) {
    plan.logger.error(toError(error))
    plan.logger.debug('request', () => ({ method: input.method }))
    return toResponse({ ...json('Bad request.'), status: 400 })
  }
  if (plan.fault) {
    plan.logger.error(plan.fault)
    return toResponse(await (await loadAnswers()).faultAnswer(request, plan))
  }

  const wantsUrl = input.headers.has('x-auth-return-redirect')
  try {
    const outcome =
      request.action === 'session' && request.method === 'GET'
        ? await readSession(request, plan)
        : await (await loadAnswers()).answer(request, plan)
    return plan.raw
      ? toInternal(outcome)
      : toResponse(outcome, wantsUrl ? request.origin : undefined)
  } catch (error) {
    if (error instanceof UnknownProvider) plan.logger.warn('unknown-provider', error.message)
    else plan.logger.error(toError(error))
    if (plan.raw && isAuthError(error) && !wantsUrl) throw error
    return (await loadAnswers()).failure(error, request, plan, wantsUrl)
  }
}

/** Most requests ask who is signed in. What answers all others is loaded when the first of them comes. */
const loadAnswers = loadOnce(() => import('./answers.ts'))

/** Why a request for this origin is not answered. */
export function refusalOf(origin: string, plan: SessionPlan): UntrustedHost | undefined {
  if (plan.trustsOrigin(origin)) return undefined
  const host = JSON.stringify(excerpt(new URL(origin).host))
  return new UntrustedHost(`the host ${host} is not in \`trustHost\` (or AUTH_TRUST_HOST)`)
}
