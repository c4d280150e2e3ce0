import { type Html, html, markup } from '../http/html.ts'
import type { Theme } from '../options/pages.ts'
import type { PageOutcome } from '../outcome.ts'
import { layOut, page } from './layout.ts'

interface ErrorText {
  /** @default 200 */
  readonly status?: number
  readonly title: string
  readonly text: string
  /** What is offered to try again. */
  readonly retry?: 'signIn' | 'signOut'
}

const texts: ReadonlyMap<string, ErrorText> = new Map<string, ErrorText>([
  [
    'Configuration',
    {
      status: 500,
      title: 'Something is not set up right',
      text: 'The server could not finish this. Whoever runs this site finds the details in its log.',
    },
  ],
  [
    'AccessDenied',
    {
      status: 403,
      title: 'Access denied',
      text: 'You do not have permission to sign in.',
      retry: 'signIn',
    },
  ],
  [
    'Verification',
    {
      status: 403,
      title: 'This link or code does not work any more',
      text: 'It has been used already, or it has expired. Ask for a new one and try again.',
      retry: 'signIn',
    },
  ],
  [
    'UnknownProvider',
    {
      status: 404,
      title: 'There is no such way to sign in',
      text: 'The address is not right, or this site no longer offers it. Choose another way.',
      retry: 'signIn',
    },
  ],
  [
    'SignOutError',
    {
      status: 503,
      title: 'You are still signed in',
      text: 'The site could not end your session right now. Try again in a moment.',
      retry: 'signOut',
    },
  ],
  [
    'TooManyAttempts',
    {
      status: 429,
      title: 'Too many attempts',
      text: 'This was tried too often.',
      retry: 'signIn',
    },
  ],
  [
    'WebAuthnVerificationError',
    {
      title: 'The passkey was not accepted',
      text: 'It could not be checked. Try again, or sign in another way.',
      retry: 'signIn',
    },
  ],
])

const GENERAL: ErrorText = {
  title: 'Something went wrong',
  text: 'That did not work. Go back to the site and try again.',
}

/** Explains what went wrong, without the details. @param error the `error` parameter */
export async function errorPage(
  theme: Theme,
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
    /** How long to wait before it is tried again, seconds. */
    wait?: number | undefined
  },
): Promise<PageOutcome> {
  const { status, title, text, retry } = texts.get(error ?? '') ?? GENERAL
  const [href, label] = retry === 'signOut' ? [signOutUrl, 'Try again'] : [signInUrl, 'Sign in']
  const again: Html | undefined =
    retry &&
    html`<a class="button main" href="${href}">${label}</a>
`
  const body = html`<h1>${title}</h1>
<p class="lead">${text}${wait === undefined ? '' : ` Wait ${duration(wait)}, and then try again.`}</p>
<div class="stack">
${again && markup(again)}<a class="button" href="${origin}">Back to ${host}</a>
</div>`
  return page(await layOut({ title, body, theme }), status)
}

/** In the unit that people would use, rounded up. */
function duration(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  const hours = Math.ceil(minutes / 60)
  const [count, unit] = minutes <= 90 ? [minutes, 'minute'] : [hours, 'hour']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
