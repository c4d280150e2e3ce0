import { definedOnly } from '../base/encoding/defined-only.ts'
import { excerpt } from '../base/encoding/excerpt.ts'
import { isAuthError, toError } from '../base/errors.ts'
import type { TextKey } from '../base/texts/catalogue.ts'
import { problemTexts } from '../base/texts/en.ts'
import { withProviders } from '../core/compile/providers.ts'
import { readText, UnreadableBody } from '../http/form.ts'
import { isLinkOfOwnPage } from '../http/origin/origin-hints.ts'
import { json, type Outcome, redirect, withCookies } from '../http/outcome.ts'
import type { Arrived } from '../http/pending-request.ts'
import { type AuthRequest, arrivedAs, type SiteRequest, splitUrl } from '../http/request.ts'
import { trusted } from '../http/safe-url.ts'
import { readStrictBody, type StrictBody, strictFields } from '../http/strict-body.ts'
import { siteOf } from '../page-kit/site.ts'
import { problemPage } from '../pages/problem.ts'
import type { Plan, SessionPlan } from '../plan/plan.ts'
import { Problem, problems } from '../plugin/problem.ts'
import type { PluginPath, ProblemTable, ProblemTables } from '../plugin/route.ts'
import type { formAgain } from './forms/form-again.ts'
import { runProtocol, runRoute } from './run-route.ts'

/** Handles a request for a path of a plugin: reads the body, checks the method and handles errors. */
export async function answerPlugin(
  arrived: SiteRequest,
  path: PluginPath,
  given: SessionPlan,
): Promise<Outcome> {
  const plan = withProviders(given)
  const input = arrived.original
  const route = path.methods[arrived.method]
  const mayBePage = (route?.callers ?? 'people') === 'people'
  let isForm = mayBePage && wantsPage(input)
  let request = arrived
  try {
    if (route?.callers === 'protocol') return await runProtocol(route, path, arrived, plan)
    if (!route) throw methodMissing(input.method, path)
    const body = await readInput(input, arrived, { isForm, mayBePage, limit: route.bodyLimit })
    isForm = mayBePage && body.isForm
    if (arrived.method === 'POST') request = { ...arrived, form: body.fields }
    return await runRoute(route, path, request, body, plan)
  } catch (error) {
    const refuse = (fault: unknown) => refusal(fault, isForm, arrived, path, plan)
    if (!isForm || !path.refusedForms) return refuse(error)
    const forms = (await path.refusedForms()) as { formAgain: typeof formAgain }
    return forms.formAgain(error, request, path, plan, refuse)
  }
}

/** Returns whether the request accepts HTML, as a browser that shows a page does. */
function wantsPage({ headers }: Pick<Arrived, 'headers'>): boolean {
  return headers.get('accept')?.includes('text/html') ?? false
}

async function readInput(
  input: Request,
  { method, query }: SiteRequest,
  { isForm, mayBePage, limit }: { isForm: boolean; mayBePage: boolean; limit: number | undefined },
): Promise<StrictBody> {
  if (method !== 'POST') {
    const fields = strictFields(query)
    if (!fields)
      throw new Problem(
        'invalid_input',
        'a query parameter is repeated, or there are too many parameters',
      )
    return { isForm, fields }
  }
  // A request of a program without a body needs no content type.
  if (!mayBePage && (await isEmpty(input))) return { isForm: false, fields: {} }
  const body = await readStrictBody(input, limit)
  if (typeof body === 'string') throw new Problem(body, `the body cannot be read: ${body}`)
  return body
}

/** Returns whether a request has no body. Node.js servers pass an empty stream instead of `null`. */
async function isEmpty(input: Request): Promise<boolean> {
  if (input.body === null) return true
  if (input.headers.has('content-type')) return false
  try {
    return (await readText(input, 0)) === ''
  } catch (error) {
    if (error instanceof UnreadableBody) return false
    throw error
  }
}

function methodMissing(method: string, { methods }: PluginPath): Problem {
  const allow = Object.keys(methods).flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]))
  return new Problem('method_not_allowed', `this path does not support ${excerpt(method)}`, {
    headers: { allow: allow.join(', ') },
  })
}

/** Returns the response for a built-in action that a plugin refused with a problem. */
export async function refuseAction(
  problem: Error,
  request: AuthRequest,
  tables: ProblemTables,
  given: SessionPlan,
): Promise<Outcome> {
  const { headers } = arrivedAs(request)
  const isForm = !headers.has('x-auth-return-redirect') && wantsPage({ headers })
  return refusal(problem, isForm, request, tables, withProviders(given))
}

/** Turns an error of a plugin into a response. */
async function refusal(
  error: unknown,
  isForm: boolean,
  request: SiteRequest,
  path: ProblemTables & Pick<PluginPath, 'tablesOf'>,
  plan: Plan,
): Promise<Outcome> {
  const problem = error instanceof Problem ? error : failed(error, plan)
  const isOwn = [path.problems, problems].some((each) => Object.hasOwn(each, problem.code))
  const { problems: own, texts: further } = (!isOwn && path.tablesOf?.(problem.code)) || path
  const table: ProblemTable = { ...problems, ...own }
  const known = Object.hasOwn(table, problem.code) ? table[problem.code] : undefined
  if (!known) {
    const text = `a plugin threw the problem ${JSON.stringify(problem.code)}, which is not in its \`problems\`; add it there`
    plan.logger.error(new Error(text, { cause: problem }))
  }
  const row = known ?? problems.server_error
  const texts = plan.texts(request.original).with({ en: problemTexts }).with(further)
  const title = row.title ?? texts.text(row.text)
  const { status } = row
  plan.logger.debug('plugin-route', () => ({ code: problem.code, why: problem.message }))
  const { errors, headers, next, members, cookies } = problem
  if (isForm && next !== undefined) return { ...redirect(next, cookies), status: 303, headers }
  if (isForm) {
    // Another site can write the query of a link, and with it the names of fields.
    const fields = request.method === 'POST' ? (errors ?? []).map(({ field }) => field) : []
    // The log is for people who run the site.
    const isOurs = row === problems.server_error
    const shown = await problemPage(siteOf(request, plan), texts, {
      title: isOurs
        ? `${texts.text('error.other.title')}. ${texts.text('error.Configuration.text')}`
        : title,
      status,
      fields,
      next: nextOf(problem, request, plan),
      wait: waitOf(problem),
    })
    return withCookies({ ...shown, headers: { ...shown.headers, ...headers } }, cookies)
  }
  const body = {
    type: 'about:blank',
    title,
    status,
    code: problem.code,
    ...definedOnly({ errors, next }),
    ...members,
  }
  return {
    ...json(body, cookies),
    status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  }
}

/** Returns for how many seconds a visitor has to wait after too many attempts, if that is known. */
function waitOf({ code, members }: Problem): number | undefined {
  const { retryAfter } = members
  return code === 'too_many_attempts' && typeof retryAfter === 'number' ? retryAfter : undefined
}

/** Problems after which the same page may help. */
const PASSING: ReadonlySet<string> = new Set([
  'csrf',
  'conflict',
  'server_error',
  'session_unreadable',
  'store_unavailable',
  'mail_unavailable',
])

/** Returns where a visitor goes on after a refusal: to sign in, or to the page that failed or had the form. */
function nextOf(
  { code }: Problem,
  { original, origin, method }: SiteRequest,
  { pages, basePath }: Plan,
): { readonly label: TextKey; readonly href: string } | undefined {
  if (code === 'unauthenticated' || code === 'reauthentication_required')
    return { label: 'sign-in.submit', href: pages.signIn || `${basePath}/signin` }
  if (!PASSING.has(code)) return undefined
  // An address without a path is that of the page.
  if (method === 'GET') return { label: 'error.retry', href: splitUrl(original.url).search || '?' }
  const from = original.headers.get('referer') ?? ''
  const isForm = isLinkOfOwnPage(original.headers, origin) && URL.canParse(from)
  return isForm ? { label: 'error.retry', href: new URL(from).pathname } : undefined
}

/** Returns the problem for an error: the refusal of a plugin, or a general one after a failure, which is logged. */
function failed(error: unknown, { logger, basePath }: Plan): Problem {
  if (isAuthError(error)) {
    const { type, message, cause } = error
    if (cause?.err instanceof Problem) return cause.err
    if (type === 'ReauthenticationRequired') {
      const next = trusted(`${basePath}/signin`)
      return new Problem('reauthentication_required', message, { next })
    }
    if (type === 'AccessDenied') return new Problem('forbidden', message)
  }
  logger.error(toError(error))
  const isStore = isAuthError(error) && error.type === 'AdapterError'
  return isStore
    ? new Problem('store_unavailable', 'the store failed', { headers: { 'retry-after': '10' } })
    : new Problem('server_error', 'the route failed')
}
