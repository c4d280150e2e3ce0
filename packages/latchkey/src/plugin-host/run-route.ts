import { keepNotice, takeNotice } from '../account-kit/notice-cookie.ts'
import { loadOnce } from '../base/once.ts'
import type { Texts } from '../base/texts/texts.ts'
import { isFromElsewhere } from '../http/origin/origin-hints.ts'
import { type Outcome, redirect, withCookies } from '../http/outcome.ts'
import { type SiteRequest, splitUrl } from '../http/request.ts'
import { trusted, withParams } from '../http/safe-url.ts'
import type { StrictBody } from '../http/strict-body.ts'
import type { Person } from '../page-kit/components.ts'
import { csrfInput } from '../page-kit/form-field.ts'
import { type AccountFrame, layOut, type Page, page } from '../page-kit/layout.ts'
import { siteOf } from '../page-kit/site.ts'
import { accountFrame } from '../pages/account.ts'
import type { CsrfTokens, Plan } from '../plan/plan.ts'
import { type FieldProblem, Problem, problems } from '../plugin/problem.ts'
import type {
  Answer,
  AnswerPage,
  Call,
  PluginPath,
  PluginRoute,
  SchemaIssue,
  StandardSchema,
  Who,
} from '../plugin/route.ts'
import { csrfTokens, isCsrfVerified, readVisit } from '../sign-in/visit.ts'
import { accountSections } from './account/sections.ts'

/** Fields that every route accepts, and only those receive that name them in `takes`. */
const COMMON_FIELDS: readonly string[] = ['csrfToken', 'callbackUrl', 'locale', 'challenge']

/**
 * Handles a request for a route of a plugin: checks the caller, the origin and the input, calls the route, and
 * renders the response.
 *
 * @param change what is rendered instead of the answer of the route.
 * @throws {Problem} if the request is refused.
 */
export async function runRoute(
  route: PluginRoute<never>,
  { plugin, own, rest, problems: table }: Omit<PluginPath, 'methods' | 'texts'>,
  request: SiteRequest,
  { isForm, fields }: StrictBody,
  plan: Plan,
  change: (answer: Answer) => Answer = (answer) => answer,
): Promise<Outcome> {
  const isCarried = plan.session.isCarried(request)
  const isOfBrowser = route.callers !== 'servers' && request.method === 'POST' && !isCarried
  const tokens = loadOnce(() => csrfTokens(request, plan))
  // First, so that what another site sends is counted against nobody here.
  const isProven = isOfBrowser && (await proveOrigin(request, isForm, plan, tokens))
  if (request.method === 'POST') await plan.plugins?.actions.limit('post', { request, isProven })
  if (route.limit !== undefined)
    await plan.plugins?.actions.limit(route.limit, { request, isProven })
  if (route.callers === 'servers') return answerServer(route, { own, rest }, request, fields, plan)
  const showsPage = isForm && route.callers !== 'scripts'
  const caller = await callerOf(route, plugin, request, tokens, plan)
  if (!caller) {
    if (!showsPage) throw new Problem('unauthenticated')
    return toSignIn(request, [route.who].flat(), plan)
  }
  const { current, pending } = caller
  const visit = await readVisit(request, plan, tokens)
  const { notice, ended } = await takeNotice(request, showsPage, plan)
  const input = await validated(route, fields, plan)
  const call: Call<never> = {
    request,
    input: input as never,
    rest,
    current,
    pending,
    csrfField: csrfInput(visit.csrfToken),
    callbackUrl: visit.callbackUrl,
    notice,
  }
  const answer = await answerOf(route, call, own)
    .then(change)
    .catch((error: unknown) => {
      if (showsPage) return pageOf(error, table)
      throw error
    })
  return withCookies(
    await toOutcome(answer, showsPage || isOnlyPage(answer, route, request), call, plan),
    [...(showsPage ? visit.cookies : []), ...ended],
  )
}

/**
 * Returns the session and the waiting sign-in of a caller; `undefined` if the route is not for them.
 *
 * @throws {Problem} `address_unproved`
 */
async function callerOf(
  { who, proved }: PluginRoute<never>,
  plugin: string,
  request: SiteRequest,
  tokens: () => Promise<CsrfTokens>,
  { session, plugins }: Plan,
): Promise<Pick<Call, 'current' | 'pending'> | undefined> {
  const asked: readonly Who[] = [who].flat()
  const current = await session.current(request)
  const pending = asked.includes('pending')
    ? await plugins?.gates?.pending(plugin, request, tokens)
    : undefined
  const mayAsk = asked.some(
    (each) => each === 'anyone' || (each === 'user' ? current !== null : pending !== undefined),
  )
  if (!mayAsk) return undefined
  if (proved && current && !pending) await plugins?.accounts.needProved(String(current.user.id))
  return { current, pending }
}

/** Returns the form again that a problem brings along. @throws the error, if it has none. */
function pageOf(error: unknown, table: PluginPath['problems']): Answer {
  if (!(error instanceof Problem) || !error.page) throw error
  const { code, page: content, headers, cookies } = error
  const status = { ...problems, ...table }[code]?.status ?? 400
  return { page: content, status, headers, cookies }
}

/** Returns whether there is a page to read, and nothing else, for a program that does not ask for HTML. */
function isOnlyPage(
  { page: content, json, bytes, to }: Answer,
  { callers = 'people' }: PluginRoute<never>,
  { method }: SiteRequest,
): boolean {
  const hasOther = json !== undefined || bytes !== undefined || to !== undefined
  return content !== undefined && !hasOther && callers === 'people' && method === 'GET'
}

/** Handles a request of a program without a session: the request itself has the authorization, and no cookie counts. */
async function answerServer(
  route: PluginRoute<never>,
  { own, rest }: Pick<PluginPath, 'own' | 'rest'>,
  request: SiteRequest,
  fields: StrictBody['fields'],
  plan: Plan,
): Promise<Outcome> {
  const call = { ...nobody(request, rest), input: (await validated(route, fields, plan)) as never }
  return toOutcome(await answerOf(route, call, own), false, call, plan)
}

/** Handles a request of another protocol: only its limit is checked here. */
export async function runProtocol(
  route: PluginRoute<never>,
  { own, rest }: Pick<PluginPath, 'own' | 'rest'>,
  request: SiteRequest,
  plan: Plan,
): Promise<Outcome> {
  if (route.limit !== undefined) await plan.plugins?.actions.limit(route.limit, { request })
  const call = nobody(request, rest)
  return toOutcome(await answerOf(route, call, own), true, call, plan)
}

/** Loads the function of a route and calls it. The compiler does not see what a plugin in JavaScript returns. */
async function answerOf(
  route: PluginRoute<never>,
  call: Call<never>,
  own: unknown,
): Promise<Answer> {
  const run: unknown = await route.run()
  const at = (): string =>
    [call.request.method, splitUrl(call.request.original.url).pathname].join(' ')
  if (typeof run !== 'function') {
    throw new TypeError(
      `\`run\` of the route ${at()} must return the request handler, as in async () => (await import('./routes.ts')).show`,
    )
  }
  const answer = (await run(call, own)) as Answer | undefined
  if (Object(answer) === answer) return answer as Answer
  throw new TypeError(
    `the handler of the route ${at()} must return an object, for example { json: {} }, got ${String(answer)}`,
  )
}

/** Returns a call without a session. */
function nobody(request: SiteRequest, rest: string | undefined): Call<never> {
  return {
    request,
    input: {} as never,
    rest,
    current: null,
    pending: undefined,
    csrfField: csrfInput(undefined),
    callbackUrl: trusted(request.origin),
  }
}

/**
 * Checks that a page of this site sent the request: a form by its CSRF token, JSON by the headers of the browser.
 * JSON of another host of the same site is refused.
 *
 * @throws {Problem} `csrf`
 */
async function proveOrigin(
  request: SiteRequest,
  isForm: boolean,
  plan: Plan,
  tokens: () => Promise<CsrfTokens>,
): Promise<true> {
  const { headers } = request.original
  const site = headers.get('sec-fetch-site')
  const sender = headers.get('origin')
  let isOwn: boolean
  // Without CSRF tokens the framework protects forms; the headers of the browser are checked in addition.
  if (isForm && !plan.csrf) isOwn = !isFromElsewhere(headers, request.origin)
  else if (isForm) isOwn = await isCsrfVerified(request, plan, tokens)
  else if (site !== null) isOwn = site === 'same-origin'
  else if (sender !== null) isOwn = sender === request.origin
  else isOwn = plan.csrf && (await isCsrfVerified(withHeaderToken(request), plan, tokens))
  if (!isOwn)
    throw new Problem(
      'csrf',
      'the request does not show that a page of this site sent it; send the CSRF token',
    )
  return true
}

/** Programs may send the token in a header instead of the body. */
function withHeaderToken(request: SiteRequest): SiteRequest {
  const csrfToken = request.original.headers.get('x-csrf-token')
  return csrfToken === null ? request : { ...request, form: { csrfToken } }
}

/** Redirects to the sign-in page, and back afterwards if the page is for signed-in users: a gate is passed by then. */
async function toSignIn(
  request: SiteRequest,
  who: readonly Who[],
  { pages, session }: Plan,
): Promise<Outcome> {
  const { method, original, base, origin } = request
  const page = pages.signIn || `${base}/signin`
  const comesBack = method === 'GET' && who.includes('user')
  // Usually, the waiting sign-in has expired, or was ended by a change of the account.
  const isLate = who.includes('pending') && !comesBack
  // The back button leads to a gate that was passed.
  if (isLate && method === 'GET' && (await session.current(request)))
    return { ...redirect(trusted(origin)), status: 303 }
  const params = {
    ...(comesBack && { callbackUrl: original.url }),
    ...(isLate && { error: 'PendingExpired' }),
  }
  return { ...redirect(trusted(withParams(page, params))), status: 303 }
}

async function validated(
  { input, takes = [] }: PluginRoute<never>,
  fields: StrictBody['fields'],
  plan: Pick<Plan, 'plugins'>,
): Promise<unknown> {
  const common = [...COMMON_FIELDS, ...(plan.plugins?.actions.commonFields ?? [])]
  const own = Object.entries(fields).filter(
    ([name]) => takes.includes(name) || !common.includes(name),
  )
  if (!input) {
    if (own.length === 0) return {}
    throw invalid(own.map(([field]) => ({ field, code: 'unknown' })))
  }
  const schema = await input()
  if (!('~standard' in Object(schema))) {
    throw new TypeError(
      '`input` of a route must return a Standard Schema, for example one of Valibot or Zod',
    )
  }
  const result = await schema['~standard'].validate(Object.fromEntries(own))
  if (!result.issues) return result.value
  throw invalid(await allFaults(result.issues, own, schema))
}

/** Longest list of fields that a schema names one by one. */
const MOST_NAMED = 20

/** Returns one problem a field. Schemas may name only the first of the fields that they do not have. */
export async function allFaults(
  issues: readonly SchemaIssue[],
  sent: readonly (readonly [name: string, value: unknown])[],
  schema: StandardSchema,
): Promise<FieldProblem[]> {
  const faults = new Map(issues.map(fieldProblem).map((each) => [each.field, each]))
  for (let round = 1; round < MOST_NAMED; round++) {
    const rest = Object.fromEntries(sent.filter(([name]) => !faults.has(name)))
    const again = await schema['~standard'].validate(rest)
    const found = (again.issues ?? [])
      .map(fieldProblem)
      .filter(({ field }) => Object.hasOwn(rest, field))
    if (found.length === 0) break
    for (const each of found) faults.set(each.field, each)
  }
  return [...faults.values()]
}

function invalid(errors: readonly FieldProblem[]): Problem {
  const names = errors.map(({ field }) => field).join(', ')
  return new Problem('invalid_input', `missing or invalid fields: ${names}`, { errors })
}

/** The messages of a schema are not passed on, because they may quote the input. */
function fieldProblem({ path = [] }: SchemaIssue): FieldProblem {
  const keys = path.map((step) => (typeof step === 'object' ? step.key : step))
  return { field: keys.map(String).join('.').slice(0, LONGEST_NAME) || 'body', code: 'invalid' }
}

/** Longest name of a field in a response, characters. */
const LONGEST_NAME = 100

async function toOutcome(
  answer: Answer,
  isForm: boolean,
  call: Call<never>,
  plan: Plan,
): Promise<Outcome> {
  const { json, bytes, page: content, to, status, notice, headers = {} } = answer
  const isKept = notice && to !== undefined && (isForm ? !content : notice.withJson === true)
  const kept = isKept ? [await keepNotice(notice, to, call.request, plan)] : []
  const cookies = [...(answer.cookies ?? []), ...kept]
  const isEmpty = status === 204
  if (isForm && content) {
    const shown = page(await laidOut(content, call, plan), isEmpty ? undefined : status)
    return { ...shown, cookies, headers }
  }
  const common = { cookies, headers, ...(status !== undefined && { status }) }
  if (to !== undefined && (isForm || !(json || isEmpty)))
    return { ...redirect(to), ...common, status: 303 }
  if (bytes) return { kind: 'bytes', body: bytes, ...common }
  if (json) return { kind: 'json', body: json, ...common }
  return { kind: 'empty', ...common, status: status ?? 204 }
}

function laidOut(content: AnswerPage, call: Call<never>, plan: Plan): Promise<Page> {
  const { script, layout, section } = content
  const { request, current } = call
  const texts = plan.texts(request.original)
  return layOut({
    ...content,
    site: siteOf(request, plan),
    texts,
    script: script ? { text: script } : undefined,
    account:
      layout === 'account' && current
        ? frameOf(call, section, current.user, texts, plan)
        : undefined,
  })
}

function frameOf(
  { request, csrfField }: Call<never>,
  section: string | undefined,
  person: Person,
  texts: Texts,
  plan: Plan,
): AccountFrame {
  const { basePath: base } = plan
  const { pathname } = splitUrl(request.original.url)
  const current = section === undefined ? pathname : `${base}/${section}`
  const sections = accountSections(plan, texts, base)
  return accountFrame({ base, texts, person, sections, current, csrfField })
}
