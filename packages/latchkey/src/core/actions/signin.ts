import { toError } from '../../base/errors.ts'
import { formText } from '../../http/form.ts'
import { isPageVisit } from '../../http/origin/origin-hints.ts'
import { type Outcome, redirect } from '../../http/outcome.ts'
import { type AuthRequest, arrivedAs } from '../../http/request.ts'
import { trusted, withParams } from '../../http/safe-url.ts'
import { siteOf } from '../../page-kit/site.ts'
import {
  asksForAddressFirst,
  type SignInPageValues,
  secondStepPage,
  signInPage,
} from '../../pages/sign-in/sign-in-page.ts'
import { signedInPage } from '../../pages/signed-in.ts'
import type { Plan } from '../../plan/plan.ts'
import type { Visit } from '../../plan/provider.ts'
import { lastWay } from '../../sign-in/last-way.ts'
import type { VisitAction } from './action.ts'
import { initiatedSignIn } from './initiated-sign-in.ts'
import { needProvider } from './need-provider.ts'
import { toOwnPage } from './own-page.ts'

/** `GET signin`: the page with all ways to sign in; with a provider, a sign-in that the provider begins. */
export const showSignIn: VisitAction = async (request, plan, visit) => {
  if (request.providerId !== undefined) return initiatedSignIn(request, plan, visit)
  const { callbackUrl } = visit
  const error = request.query.get('error') || undefined
  const params = { callbackUrl, ...(error ? { error } : {}) }
  const own = toOwnPage(plan.pages.signIn, request, params)
  if (own) return own
  // A link that says where to go afterwards asks for a sign-in, whoever is signed in.
  const isAsked = error !== undefined || request.query.has('callbackUrl')
  return (
    (isAsked ? undefined : await alreadySignedIn(request, plan, visit)) ??
    signInPage(plan, plan.texts(arrivedAs(request)), valuesOf(request, plan, visit, error))
  )
}

/** Returns the page for a visitor who is signed in already; `undefined` for nobody, or if that is not known. */
async function alreadySignedIn(
  request: AuthRequest,
  plan: Plan,
  { callbackUrl }: Visit,
): Promise<Outcome | undefined> {
  const current = await plan.session.current(request).catch((error: unknown) => {
    plan.logger.error(toError(error))
    return null
  })
  if (!current || current.holder !== undefined) return undefined
  return signedInPage(siteOf(request, plan), plan.texts(arrivedAs(request)), {
    person: current.user,
    callbackUrl,
    otherUrl: withParams(`${plan.basePath}/signin`, { callbackUrl }),
    signOutUrl: plan.pages.signOut || `${plan.basePath}/signout`,
  })
}

function valuesOf(
  request: AuthRequest,
  plan: Plan,
  { csrfToken, callbackUrl }: Visit,
  error: string | undefined,
): SignInPageValues {
  const isCancelled = error !== undefined && request.query.get('code') === 'access_denied'
  const provider = plan.provider(request.query.get('provider') ?? undefined)
  const { name, home, languages } = siteOf(request, plan)
  return {
    csrfToken,
    callbackUrl,
    name,
    home,
    languages,
    error,
    cancelled: isCancelled ? provider?.config.name : undefined,
    typed: typedIn(request),
    lastUsed: lastWay(request),
  }
}

/** Returns what was typed, or what a link has for the field of the address. */
function typedIn({ query, form }: AuthRequest): Record<string, string> {
  const email = query.get('email')
  const typed = Object.entries(form).filter(
    (field): field is [string, string] => typeof field[1] === 'string',
  )
  return { ...(email !== null && { email }), ...Object.fromEntries(typed) }
}

/**
 * `POST signin/{id}`: begins the sign-in; without a provider, the second step for the address in the form, or else a redirect
 * to the sign-in page.
 */
export const signIn: VisitAction = async (request, plan, visit) => {
  if (request.providerId !== undefined) return needProvider(request, plan).begin(request, visit)
  const identifier = formText(request.form, 'email')
  const texts = plan.texts(arrivedAs(request))
  if (identifier && !plan.pages.signIn && asksForAddressFirst(plan, texts)) {
    return secondStepPage(plan, texts, { ...valuesOf(request, plan, visit, undefined), identifier })
  }
  return redirect(trusted(`${request.base}/signin`))
}

/**
 * Returns the sign-in page again after a mistake in one of its forms, with what was typed; `undefined` for a request that is
 * not of the built-in page.
 *
 * @param wait until the next attempt, as text.
 */
export async function signInAgain(
  error: string,
  request: AuthRequest,
  plan: Plan,
  visit: Visit,
  wait?: string,
): Promise<Outcome | undefined> {
  const type = plan.provider(request.providerId)?.type
  const isTyped = request.method === 'POST' && (type === 'email' || type === 'credentials')
  if (!isTyped || plan.pages.signIn || !isPageVisit(arrivedAs(request).headers)) return undefined
  const values = { ...valuesOf(request, plan, visit, error), wait }
  const texts = plan.texts(arrivedAs(request))
  const identifier = formText(request.form, 'email')
  const isSecond = type === 'credentials' && identifier && asksForAddressFirst(plan, texts)
  const page = isSecond
    ? await secondStepPage(plan, texts, { ...values, identifier })
    : await signInPage(plan, texts, values)
  return { ...page, status: error === 'TooManyAttempts' ? 429 : 401 }
}
