import type { TextKey } from '../base/texts/catalogue.ts'
import type { Texts } from '../base/texts/texts.ts'
import { duration } from '../http/dates.ts'
import { html, htmlOf, markup } from '../http/html.ts'
import type { PageOutcome } from '../http/outcome.ts'
import { leftToRight, linkButton, type Tone } from '../page-kit/components.ts'
import type { IconName } from '../page-kit/icon-names.ts'
import { layOut, page } from '../page-kit/layout.ts'
import type { PageSite } from '../page-kit/site.ts'

/** The properties of an error page. Its texts are `error.<code>.title` and `.text`. */
interface Shape {
  /** @default 200 */
  readonly status?: number
  /** Where the first button leads, and what it says. */
  readonly next?: readonly ['signIn' | 'signOut', TextKey]
  /** Whether it is something to wait for or to begin again, and nothing is wrong. */
  readonly isMild?: true
}

const shapes: ReadonlyMap<string, Shape> = new Map<ErrorCode, Shape>([
  ['Configuration', { status: 500, next: ['signIn', 'error.retry'] }],
  ['AccessDenied', { status: 403, next: ['signIn', 'signed-in.other'] }],
  ['Forbidden', { status: 403 }],
  ['Verification', { status: 403, next: ['signIn', 'error.restart'], isMild: true }],
  ['SignInExpired', { status: 400, next: ['signIn', 'error.restart'], isMild: true }],
  ['UnknownPage', { status: 404, next: ['signIn', 'sign-in.submit'], isMild: true }],
  ['UnknownProvider', { status: 404, next: ['signIn', 'sign-in.submit'], isMild: true }],
  ['SignOutError', { status: 503, next: ['signOut', 'error.retry'] }],
  ['TooManyAttempts', { status: 429, next: ['signIn', 'sign-in.submit'], isMild: true }],
  ['WebAuthnVerificationError', { next: ['signIn', 'error.retry'] }],
])

type ErrorCode = TextKey extends infer Key
  ? Key extends `error.${infer Code}.title`
    ? Code
    : never
  : never

/** What an error page shows besides the error. */
export interface ErrorPageValues {
  /** The `error` parameter. */
  readonly error: string | undefined
  readonly signInUrl: string
  readonly signOutUrl: string
  /** Seconds until the next attempt. */
  readonly wait?: number | undefined
  /** Under which the log has the details, and when that was. */
  readonly reference?: { readonly id: string; readonly time: string } | undefined
}

/** Returns the page for an error, without details. */
export async function errorPage(
  site: PageSite,
  texts: Texts,
  { error, signInUrl, signOutUrl, wait, reference }: ErrorPageValues,
): Promise<PageOutcome> {
  const { text } = texts
  const shape = shapes.get(error ?? '')
  const code = shape ? (error as ErrorCode) : 'other'
  const { status, next, isMild } = shape ?? {}
  const { support } = site.theme.footer ?? {}
  const title = text(`error.${code}.title`)
  const sentence = text(`error.${code}.text`, { name: site.name })
  const until = wait !== undefined && ` ${text('error.wait', { time: duration(wait, texts) })}`
  const first =
    next &&
    linkButton(text(next[1]), next[0] === 'signIn' ? signInUrl : signOutUrl, { kind: 'main' })
  const second =
    code === 'AccessDenied' && support
      ? linkButton(text('page.support'), support)
      : linkButton(text('page.back', { name: site.name, host: site.name }), site.home)
  const id = reference && markup(html`<code>${leftToRight(reference.id)}</code>`)
  const mention =
    reference &&
    markup(html`
<p class="note">${htmlOf(text('error.reference'), { reference: id, time: reference.time })}</p>`)
  const seal: { icon: IconName; tone?: Tone } = isMild
    ? { icon: wait === undefined ? 'pause' : 'clock' }
    : { icon: 'bang', tone: 'bad' }
  const content = {
    site,
    texts,
    title,
    documentTitle: text('page.error', { title }),
    lead: [sentence, until],
    seal,
    body: html`<div class="stack">
${first}
${second}
</div>${mention}`,
  }
  return page(await layOut(content), status)
}
