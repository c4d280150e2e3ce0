import type { TextKey } from '../base/texts/catalogue.ts'
import type { Texts } from '../base/texts/texts.ts'
import { type Html, html, markup } from '../http/html.ts'
import type { PageOutcome } from '../http/outcome.ts'
import type { Theme } from '../options/pages.ts'
import { layOut, page } from './layout.ts'

/** The properties of an error page. Its texts are `error.<code>.title` and `.text`. */
interface Shape {
  /** @default 200 */
  readonly status?: number
  /** The page that a link offers to try again. */
  readonly retry?: 'signIn' | 'signOut'
}

const shapes: ReadonlyMap<string, Shape> = new Map<ErrorCode, Shape>([
  ['Configuration', { status: 500 }],
  ['AccessDenied', { status: 403, retry: 'signIn' }],
  ['Forbidden', { status: 403 }],
  ['Verification', { status: 403, retry: 'signIn' }],
  ['SignInExpired', { status: 400, retry: 'signIn' }],
  ['UnknownPage', { status: 404, retry: 'signIn' }],
  ['UnknownProvider', { status: 404, retry: 'signIn' }],
  ['SignOutError', { status: 503, retry: 'signOut' }],
  ['TooManyAttempts', { status: 429, retry: 'signIn' }],
  ['WebAuthnVerificationError', { retry: 'signIn' }],
])

type ErrorCode = TextKey extends infer Key
  ? Key extends `error.${infer Code}.title`
    ? Code
    : never
  : never

/**
 * Returns the page for an error, without details.
 *
 * @param error the `error` parameter.
 */
export async function errorPage(
  theme: Theme,
  texts: Texts,
  {
    error,
    origin,
    host,
    signInUrl,
    signOutUrl,
    wait,
  }: {
    error: string | undefined
    origin: string
    host: string
    signInUrl: string
    signOutUrl: string
    /** Seconds until the next attempt. */
    wait?: number | undefined
  },
): Promise<PageOutcome> {
  const { lang, text } = texts
  const shape = shapes.get(error ?? '')
  const code = shape ? (error as ErrorCode) : 'other'
  const { status, retry } = shape ?? {}
  const title = text(`error.${code}.title`)
  const [href, label] =
    retry === 'signOut' ? [signOutUrl, text('error.retry')] : [signInUrl, text('sign-in.submit')]
  const again: Html | undefined =
    retry &&
    html`<a class="button main" href="${href}">${label}</a>
`
  const body = html`<h1>${title}</h1>
<p class="lead">${text(`error.${code}.text`)}${wait === undefined ? '' : ` ${text('error.wait', { time: duration(wait, texts) })}`}</p>
<div class="stack">
${again && markup(again)}<a class="button" href="${origin}">${text('page.back', { host })}</a>
</div>`
  return page(await layOut({ lang, title, body, theme }), status)
}

/** Returns a duration in a suitable unit, rounded up. */
function duration(seconds: number, { text }: Texts): string {
  const minutes = Math.ceil(seconds / 60)
  const hours = Math.ceil(minutes / 60)
  return minutes <= 90
    ? text('time.minutes', { count: minutes })
    : text('time.hours', { count: hours })
}
