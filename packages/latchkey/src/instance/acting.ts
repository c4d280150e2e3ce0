import { isAuthError, toError } from '../base/errors.ts'
import { loadOnce } from '../base/once.ts'
import { parseCookies } from '../http/cookies/cookies.ts'
import { sentBySame } from '../http/origin/client-address.ts'
import { type Outcome, toResponse } from '../http/outcome.ts'
import type { AuthRequest } from '../http/request.ts'
import type { JsonObject } from '../model/json.ts'
import type * as CoreArguments from '../options/arguments/core-arguments.ts'
import type { SessionPlan } from '../plan/plan.ts'
import { usable } from './arrival.ts'
import { cookieHeaders } from './cookie-headers.ts'
import type { Site } from './site.ts'
import type {
  ActionResult,
  AuthorizationParams,
  SignInFunction,
  SignInOptions,
  SignOutFunction,
  SignOutOptions,
} from './types.ts'

/** Creates the functions that sign in and out in code. */
export function createActing(
  site: Site,
  loadArguments: () => Promise<Pick<typeof CoreArguments, 'checkCall'>>,
): { readonly signIn: SignInFunction; readonly signOut: SignOutFunction } {
  // Not needed if the application only mounts the handler.
  const loadForms = loadOnce(() => import('./begin-in-code.ts'))

  /** Runs an action. After a failure, `tell` logs the error and returns the redirect to its page. */
  const attempt = async ({ request, what, context }: Act): Promise<Attempt> => {
    const arrival = await site.arrive(request)
    const plan = usable(arrival)
    const asked = asAction(request, arrival.origin, plan, what)
    const begun = context === undefined ? undefined : checkContext(context)
    const { answerForm, failurePage } = await loadForms()
    try {
      return { outcome: await answerForm(asked, plan, request.method, begun) }
    } catch (error) {
      const tell = (): Promise<Outcome> => {
        plan.logger.error(toError(error))
        return failurePage(error, asked, plan)
      }
      return { error, tell }
    }
  }

  const act = async (what: Act): Promise<Response> => {
    const { outcome, error, tell } = await attempt(what)
    if (outcome) return toResponse(outcome)
    if (isAuthError(error) && ENDS_ON_A_PAGE.has(error.type)) return toResponse(await tell())
    throw withoutInnerMessage(error)
  }

  const result = async (what: Act): Promise<ActionResult> => {
    const { outcome, tell } = await attempt(what)
    return toResult(outcome ?? (await tell()))
  }

  const signingInWith = async (asked: Parameters<SignInFunction>): Promise<Act> => {
    ;(await loadArguments()).checkCall('signIn', asked)
    return signingIn(...asked)
  }

  const signingOutWith = async (asked: Parameters<SignOutFunction>): Promise<Act> => {
    ;(await loadArguments()).checkCall('signOut', asked)
    return signingOut(...asked)
  }

  return {
    signIn: Object.assign(
      async (...asked: Parameters<SignInFunction>) => act(await signingInWith(asked)),
      {
        result: async (...asked: Parameters<SignInFunction>) => result(await signingInWith(asked)),
      },
    ),
    signOut: Object.assign(
      async (...asked: Parameters<SignOutFunction>) => act(await signingOutWith(asked)),
      {
        result: async (...asked: Parameters<SignOutFunction>) =>
          result(await signingOutWith(asked)),
      },
    ),
  }
}

function toResult(outcome: Outcome): ActionResult {
  const headers = cookieHeaders(outcome.cookies ?? [])
  if (outcome.kind !== 'redirect') return { url: '/', headers }
  const { to, detour, error } = outcome
  return { url: to, headers, ...error, ...(detour && { detour }) }
}

/** The result of an action: an outcome, or an error and a function that reports it to the visitor. */
type Attempt =
  | { readonly outcome: Outcome; readonly error?: undefined; readonly tell?: undefined }
  | { readonly outcome?: undefined; readonly error: unknown; readonly tell: () => Promise<Outcome> }

/** Failures of other systems: the visitor sees a page, and the log has the details. */
const ENDS_ON_A_PAGE: ReadonlySet<string> = new Set([
  'EmailSignInError',
  'OAuthSignInError',
  'ReauthenticationRequired',
  'SignOutError',
  'TooManyAttempts',
])

/** Removes the message of a database or a provider from an error, since applications show messages. The cause keeps it. */
function withoutInnerMessage(error: unknown): unknown {
  const inner = isAuthError(error) ? error.cause?.err?.message : undefined
  if (isAuthError(error) && inner && error.message.includes(inner)) {
    error.message = `the action failed with ${error.type}; \`cause.err\` has the reason`
  }
  return error
}

/** An action and its request. */
interface Act {
  readonly request: Request
  readonly what: Pick<AuthRequest, 'action' | 'providerId' | 'form' | 'query'>
  /** The context for the `signIn` callback, not checked yet. */
  readonly context?: object | undefined
}

/** The length of the context as JSON, characters. Together with other sign-ins, it must fit into the cookies. */
const CONTEXT_LIMIT = 1000

/** @throws {TypeError} if the context of a sign-in is not JSON, or too long. */
function checkContext(context: object): JsonObject {
  const isPlain = [Object.prototype, null].includes(Object.getPrototypeOf(context))
  try {
    const text = isPlain ? JSON.stringify(context) : ''
    if (text !== '' && text.length <= CONTEXT_LIMIT) return JSON.parse(text) as JsonObject
  } catch {}
  throw new TypeError(
    `\`context\` of signIn must be a plain object whose JSON has at most ${CONTEXT_LIMIT} characters`,
  )
}

function signingIn(
  request: Request,
  providerId?: string,
  { redirectTo, context, ...fields }: SignInOptions = {},
  params: AuthorizationParams = '',
): Act {
  // Values of a form are strings: a visitor cannot send a context.
  const isField = typeof context === 'string'
  if (isField) fields['context'] = context
  return {
    request,
    context: isField ? undefined : context,
    what: {
      action: 'signin',
      providerId,
      form: { ...fields, callbackUrl: redirectTo ?? wayBack(request, providerId) },
      query: new URLSearchParams(params),
    },
  }
}

function signingOut(request: Request, { redirectTo, federated, forget }: SignOutOptions = {}): Act {
  const isChosen = federated !== undefined
  return {
    request,
    what: {
      action: 'signout',
      providerId: undefined,
      form: {
        callbackUrl: redirectTo ?? pageOf(request),
        ...(isChosen && { federated: String(Number(federated)) }),
        ...(Number(forget) === 1 && { forget: '1' }),
      },
      query: new URLSearchParams(),
    },
  }
}

/** Returns the request of an action, as if its form had been sent. It does not read the body of the original request. */
function asAction(
  request: Request,
  origin: string,
  plan: SessionPlan,
  what: Pick<AuthRequest, 'action' | 'providerId' | 'form' | 'query'>,
): AuthRequest {
  const { headers } = request
  const { pathname, search } = new URL(request.url)
  return Object.freeze({
    ...what,
    method: 'POST',
    origin,
    base: origin + plan.basePath,
    secure: origin.startsWith('https:'),
    cookies: parseCookies(headers.get('cookie'), new URL(origin).host),
    original: sentBySame(new Request(origin + pathname + search, { headers }), request),
  })
}

/** Returns the page after the sign-in: the protected page itself, or the page with the link that started the sign-in. */
function wayBack(request: Request, providerId: string | undefined): string {
  return providerId === undefined && request.method === 'GET' ? pathOf(request) : pageOf(request)
}

function pathOf(request: Request): string {
  const { pathname, search } = new URL(request.url)
  return pathname + search
}

/** Returns the page that sent the request. It is checked like any other callback URL. */
function pageOf(request: Request): string {
  return request.headers.get('referer') ?? '/'
}
