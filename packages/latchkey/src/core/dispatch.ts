import { definedOnly } from '../base/encoding/defined-only.ts'
import { withoutEndSlashes } from '../base/encoding/end-slashes.ts'
import {
  type AuthError,
  type AuthErrorType,
  ErrorPageLoop,
  errorPageOf,
  isAuthError,
  publicDetail,
  publicErrorCode,
  UnknownAction,
  UnknownProvider,
} from '../base/errors.ts'
import { loadOnce } from '../base/once.ts'
import type { Cookie } from '../http/cookies/cookies.ts'
import { duration } from '../http/dates.ts'
import { isPageVisit } from '../http/origin/origin-hints.ts'
import { json, type Outcome, type RedirectOutcome, redirect, withCookies } from '../http/outcome.ts'
import type { Arrived } from '../http/pending-request.ts'
import { type AuthRequest, arrivedAs, parseRequest, splitUrl } from '../http/request.ts'
import { trusted, withParams } from '../http/safe-url.ts'
import type { CsrfTokens, Plan, SessionPlan } from '../plan/plan.ts'
import { Interrupted } from '../sign-in/interrupted.ts'
import { needBrowser } from '../sign-in/need-browser.ts'
import { csrfTokens, isCsrfVerified, missingCsrf, readVisit } from '../sign-in/visit.ts'
import { wholeNeed } from '../sign-in/whole-need.ts'
import { toOwnPage } from './actions/own-page.ts'
import { builtInErrorPage } from './actions/pages.ts'
import { signInAgain } from './actions/signin.ts'
import { withProviders } from './compile/providers.ts'
import { drawReference } from './error-reference.ts'
import { type Route, routes } from './routes.ts'

/** Runs the requested action. */
export async function answer(request: AuthRequest, given: SessionPlan): Promise<Outcome> {
  const plan = withProviders(given)
  const { plugins } = plan
  const tokens = loadOnce(() => csrfTokens(request, plan))
  const run = (routed: AuthRequest): Promise<Outcome> => answerRoute(routed, plan, tokens)
  if (!plugins) return run(request)
  const { method, providerId } = request
  const provider = providerId === undefined ? undefined : plan.provider(providerId)
  const isVerified = method === 'POST' && (await isCsrfVerified(request, plan, tokens))
  const route = routeOf(request)
  const ofCallback = request.action === 'callback' ? provider?.callback[method] : undefined
  // Refused whatever plugins say, so that nothing is counted against anybody.
  if ((route?.csrf || ofCallback?.csrf) && !isVerified) return run(request)
  const how = {
    isLink: false,
    isProven: isVerified && plan.csrf,
    isOwnCallback: async () => (await provider?.isOwn(request)) ?? false,
  }
  return plugins.actions.run(request, run, how).catch(async (error: unknown) => {
    if (plan.raw || !(error instanceof Error) || error.name !== 'Problem') throw error
    return plugins.actions.refuse(error, request)
  })
}

async function answerRoute(
  request: AuthRequest,
  plan: Plan,
  tokens: () => Promise<CsrfTokens>,
): Promise<Outcome> {
  const route = routeOf(request)
  if (!route || (request.providerId !== undefined && !route.provider)) {
    throw new UnknownAction(`the action ${request.action} does not support ${request.method}`)
  }
  if (route.kind === 'visit') {
    return visited(route, request, plan, tokens).catch((error) =>
      goingOnLater(error, request, plan),
    )
  }
  if (route.csrf && !(await isCsrfVerified(request, plan, tokens)))
    throw await missingCsrf(request, plan)
  return route.run(request, plan)
}

async function visited(
  route: Extract<Route, { kind: 'visit' }>,
  request: AuthRequest,
  plan: Plan,
  tokens: () => Promise<CsrfTokens>,
): Promise<Outcome> {
  if (route.signsIn) needBrowser(request, plan)
  const visit = await readVisit(request, plan, tokens)
  if (route.csrf && !visit.csrfVerified) throw await missingCsrf(request, plan)
  const outcome = withCookies(await route.run(request, plan, visit), visit.cookies)
  if (request.providerId) plan.logger.debug('answer', () => describe(request, outcome))
  return outcome
}

/** Returns the response to a sign-in that a store failure interrupted, with the cookies to continue it. */
async function goingOnLater(error: unknown, request: AuthRequest, plan: Plan): Promise<Outcome> {
  if (!(error instanceof Interrupted)) throw error
  if (plan.raw) throw error.reason
  plan.logger.error(error.reason)
  const wantsUrl = arrivedAs(request).headers.has('x-auth-return-redirect')
  const outcome = await failure(error.reason, request, plan, wantsUrl)
  return withCookies(outcome, error.cookies)
}

/** Describes the request and the response for the log: only names, no values. */
function describe(
  { action, method, providerId }: AuthRequest,
  { kind, cookies = [] }: Outcome,
): object {
  const names = cookies.map(({ name, options }) => (options.maxAge === 0 ? `no ${name}` : name))
  return { action, method, provider: providerId, kind, names }
}

function routeOf({ action, method }: AuthRequest): Route | undefined {
  return routes[action][method]
}

/** Turns an error into a response. No other function does this. */
export async function failure(
  error: unknown,
  request: AuthRequest,
  plan: SessionPlan,
  wantsUrl: boolean,
): Promise<Outcome> {
  const isForPrograms = routeOf(request)?.for === 'programs'
  const refusal = isAuthError(error) ? REFUSALS[error.type] : undefined
  if (refusal && (isForPrograms || plan.session.isCarried(request)))
    return tellRefusal(error as AuthError, refusal, request, plan)
  const isLater = isAuthError(error) ? LATER[error.type] : undefined
  if (isLater) return tellLater(error as AuthError, isLater, request, plan, wantsUrl)
  if (isForPrograms && request.method === 'POST') return { ...json(null), status: 400 }
  if (error instanceof UnknownProvider) return notFound(request, plan, wantsUrl)
  if (isForPrograms && !wantsUrl) return serverError('could not handle this request')
  // A redirect to it would fail in the same way, again and again.
  if (!wantsUrl && isOwnPage(errorPageOf(error), request, plan))
    return { ...(await builtInErrorPage(request, plan, publicErrorCode(error))), status: 500 }
  const again = wantsUrl ? undefined : await onTheForm(error, request, plan)
  if (again) return again
  const page = await failurePage(error, request, plan)
  return wantsUrl ? json({ url: page.to }, page.cookies) : page
}

/** Returns the sign-in page again for an error that belongs there, unless it asks for another proof. */
async function onTheForm(
  error: unknown,
  request: AuthRequest,
  given: SessionPlan,
): Promise<Outcome | undefined> {
  const isProofMissing = isAuthError(error) && error.type === 'ReauthenticationRequired'
  if (isProofMissing || errorPageOf(error) !== 'signIn') return undefined
  return formAgain(publicErrorCode(error), request, given)
}

/** Returns the built-in sign-in page again if one of its forms was sent, with what was typed in it. */
async function formAgain(
  error: string,
  request: AuthRequest,
  given: SessionPlan,
  wait?: string,
): Promise<Outcome | undefined> {
  const plan = withProviders(given)
  try {
    const visit = await readVisit(request, plan)
    const again = await signInAgain(error, request, plan, visit, wait)
    return again && withCookies(again, visit.cookies)
  } catch {
    // The same failure happened again, and must not prevent the response.
    return undefined
  }
}

/** The code and the title of each refusal, for programs. */
const REFUSALS: Readonly<Partial<Record<AuthErrorType, { code: string; title: string }>>> = {
  AccessDenied: { code: 'forbidden', title: 'This is not allowed.' },
  ReauthenticationRequired: { code: 'reauthentication_required', title: 'Sign in again first.' },
}

/** Returns the refusal of a program, with the URL of the page that explains it to people. */
async function tellRefusal(
  error: AuthError,
  refusal: { readonly code: string; readonly title: string },
  request: AuthRequest,
  plan: SessionPlan,
): Promise<Outcome> {
  const { to, cookies } = await failurePage(error, request, plan)
  return { ...json({ error: error.type, ...refusal, url: to }, cookies), status: 403 }
}

/** Returns whether a request is for the built-in page that reports the error of this request. */
function isOwnPage(
  page: 'error' | 'signIn',
  { action, method, providerId }: AuthRequest,
  { pages }: SessionPlan,
): boolean {
  const isPage = method === 'GET' && providerId === undefined && !pages[page]
  return isPage && action === page.toLowerCase()
}

/** Redirects to the page that reports an error, with the public name of the error. */
export async function failurePage(
  error: unknown,
  request: AuthRequest,
  plan: SessionPlan,
): Promise<RedirectOutcome> {
  const page = errorPageOf(error)
  const code = publicDetail(error)
  const provider =
    code === 'access_denied' ? String((error as AuthError).cause?.['provider']) : undefined
  const params = { error: publicErrorCode(error), ...definedOnly({ code, provider }) }
  const path = plan.pages[page] || `${plan.basePath}/${page.toLowerCase()}`
  const url =
    (await proofPageFor(error, request, plan)) ??
    withParams(new URL(path, request.origin).href, params)
  const isFault = params.error === 'Configuration' && code !== 'expired'
  const isShown = isFault && isPageVisit(arrivedAs(request).headers)
  const cookies = [
    ...(await cookiesOfFailure(request, withProviders(plan))),
    ...(isShown ? [drawReference(error, request, plan)] : []),
  ]
  return { ...redirect(trusted(url), cookies), error: params }
}

/** Returns the page on which somebody proves their identity again, if that is all that is missing. */
async function proofPageFor(
  error: unknown,
  request: AuthRequest,
  given: SessionPlan,
): Promise<string | undefined> {
  const { plugins, watch } = given
  if (!isAuthError(error) || error.type !== 'ReauthenticationRequired' || !watch) return undefined
  if (!plugins?.proofs.hasWays) return undefined
  const plan = withProviders(given)
  const current = await plan.session.current(request)
  if (!current) return undefined
  const { callbackUrl } = await readVisit(request, plan)
  const need = await wholeNeed(current, { maxAge: watch.freshAge }, plan)
  const page = await plugins.proofs.page(current, need, callbackUrl)
  return page && new URL(page, request.origin).href
}

/**
 * Returns what a person sees at an address below the base path that no action has: the sign-in page for the base path itself,
 * else a page with 404. `undefined` for an address elsewhere, or at a host that is not trusted.
 */
export async function noSuchPage(
  { url, headers }: Arrived,
  plan: SessionPlan,
): Promise<Outcome | undefined> {
  const { origin, pathname } = splitUrl(url)
  const { basePath, pages } = plan
  const isBase = withoutEndSlashes(pathname) === basePath
  if (!(isBase || pathname.startsWith(`${basePath}/`)) || !plan.trustsOrigin(origin))
    return undefined
  if (isBase) return redirect(trusted(pages.signIn || `${basePath}/signin`))
  const asError = new Request(`${origin}${basePath}/error`, {
    headers: { 'accept-language': headers.get('accept-language') ?? '' },
  })
  return builtInErrorPage(parseRequest(asError, plan), plan, 'UnknownPage')
}

/** Returns the response for an unknown provider. */
async function notFound(
  request: AuthRequest,
  plan: SessionPlan,
  wantsUrl: boolean,
): Promise<Outcome> {
  const url = withParams(`${request.base}/error`, { error: 'Configuration' })
  const message = 'There is no such provider.'
  const outcome = wantsUrl
    ? json({ message, url })
    : await builtInErrorPage(request, plan, 'UnknownProvider')
  return { ...outcome, status: 404 }
}

/** Returns the response to a failure that may pass, such as one of the store: a page for people, a code for programs. */
const LATER: Readonly<Partial<Record<AuthErrorType, Later>>> = {
  // The session stays valid, so its cookie is kept.
  SignOutError: { status: 503, message: 'The session could not be ended. Try again in a moment.' },
  TooManyAttempts: { status: 429, message: 'Too many attempts. Try again later.' },
}

interface Later {
  readonly status: number
  readonly message: string
}

async function tellLater(
  { type: error, cause }: AuthError,
  { status, message }: Later,
  request: AuthRequest,
  plan: SessionPlan,
  wantsUrl: boolean,
): Promise<Outcome> {
  const wait = cause?.['retryAfter'] as number | undefined
  const further = cause?.['headers'] as Readonly<Record<string, string>> | undefined
  const later = { status, headers: { 'retry-after': String(wait ?? SOON), ...further } }
  if (wantsUrl || routeOf(request)?.for === 'programs') {
    const url = withParams(`${request.base}/error`, { error })
    return { ...json({ error, message, url }), ...later }
  }
  const own = toOwnPage(plan.pages.error, request, { error })
  if (own) return { ...own, error: { error } }
  const time = wait === undefined ? undefined : duration(wait, plan.texts(arrivedAs(request)))
  const again = time === undefined ? undefined : await formAgain(error, request, plan, time)
  return { ...(again ?? (await builtInErrorPage(request, plan, error, wait))), ...later }
}

/** Seconds. */
const SOON = 10

/** After a failed form, sets a CSRF cookie for the next one; after a failed callback, clears its check cookies. */
async function cookiesOfFailure(request: AuthRequest, plan: Plan): Promise<readonly Cookie[]> {
  if (!routeOf(request)?.refreshesVisit) return []
  // The same failure may happen again here, and must not prevent the response.
  const settled = await Promise.allSettled([
    readVisit(request, plan).then(({ cookies }) => cookies),
    forgotten(request, plan),
  ])
  return settled.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
}

async function forgotten(request: AuthRequest, plan: Plan): Promise<readonly Cookie[]> {
  const provider = routeOf(request)?.endsFlow && plan.provider(request.providerId)
  return provider ? provider.forget(request) : []
}

/** Returns a general message for the visitor if the configuration is invalid; the log has the details. */
export async function faultAnswer(request: AuthRequest, plan: SessionPlan): Promise<Outcome> {
  const route = routeOf(request)
  const isPage = request.method === 'GET' && route?.for === 'people' && !route.endsFlow
  if (!isPage) return serverError('is not set up correctly')

  const own = plan.pages.error
  if (own && request.query.get('callbackUrl')?.startsWith(own)) {
    const [page, signIn] = [own, `${plan.basePath}/signin`].map((path) => JSON.stringify(path))
    const cause = `\`pages.error\` (${page}) redirects visitors without a session to ${signIn}, which redirects back to it until the configuration error above is fixed`
    const fix = 'return true for this page in `authorized`, and remove any other guard from it'
    plan.logger.error(new ErrorPageLoop(`${cause}; ${fix}`))
  } else if (own) {
    const error = { error: 'Configuration' }
    const answer = toOwnPage(new URL(own, request.origin).href, request, error)
    if (answer) return { ...answer, error }
  }
  return builtInErrorPage(request, plan, 'Configuration')
}

function serverError(what: string): Outcome {
  const message = `The server ${what}. Its operator finds the details in the log.`
  return { ...json({ message }), status: 500 }
}
