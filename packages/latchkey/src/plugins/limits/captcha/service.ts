import {
  checkOptions,
  html,
  isJsonObject,
  type JsonObject,
  listOf,
  markup,
  type OptionKinds,
  type OptionRule,
  oneOf,
  required,
  someText,
} from '../../../entries/plugin.ts'
import type { Markup } from '../../../entries/plugin-pages.ts'
import type { ChallengeContext, ChallengePort, ChallengeResult } from '../challenge/port.ts'

/** What the services have in common. */
export interface CaptchaOptions {
  /** The public key of the site, which the page shows. */
  readonly siteKey: string
  /** The secret key, with which the server asks the service. */
  readonly secretKey: string
  /**
   * The host names on which answers may be given.
   *
   * @default the host of the request
   */
  readonly hostnames?: readonly string[] | undefined
  /**
   * What follows if the service cannot be reached: `refuse` (503), `allow`, or another challenge, for example
   * `proofOfWork()`.
   *
   * @default 'refuse'
   */
  readonly whenUnavailable?: ChallengePort['whenUnavailable']
}

/** Milliseconds until a service must respond. */
const PATIENCE = 3000

const KEY: OptionRule = required({ ...someText, expected: 'the key of your site at the service' })

/** The options that the services have in common. */
export const CAPTCHA: OptionKinds<CaptchaOptions> = {
  siteKey: KEY,
  secretKey: KEY,
  hostnames: listOf('host names', (host) => typeof host === 'string'),
  whenUnavailable: oneOf('refuse', 'allow', {
    expected: 'a challenge',
    fits: (value) => typeof Object(value).verify === 'function',
  }),
}

/** @throws {TypeError} for a missing key, an unknown option, and hosts that are no list. */
export function checkCaptcha<Options extends CaptchaOptions>(
  name: string,
  options: Options,
  kinds: OptionKinds<NoInfer<Options>>,
): void {
  checkOptions(name, options, kinds, { section: 'limits' })
}

/** Asks a service about an answer. @returns `undefined` if it could not be asked. */
export async function askService(
  url: string,
  init: { readonly body: BodyInit; readonly headers?: Record<string, string> },
  { fetch }: ChallengeContext,
): Promise<{ readonly status: number; readonly json: JsonObject } | undefined> {
  try {
    const signal = AbortSignal.timeout(PATIENCE)
    const response = await fetch(url, { method: 'POST', redirect: 'error', signal, ...init })
    const json: unknown = await response.json()
    if (response.status >= 500 || !isJsonObject(json)) return undefined
    return { status: response.status, json: json as JsonObject }
  } catch {
    return undefined
  }
}

/** Errors of the widely used protocol `siteverify` that are no statement about the answer. */
const OWN_ERRORS: readonly string[] = [
  'missing-input-secret',
  'invalid-input-secret',
  'sitekey-secret-mismatch',
  'internal-error',
]

/** Checks an answer with the protocol `siteverify`, which several services have. */
export async function siteVerify(
  url: string,
  fields: Readonly<Record<string, string | undefined>>,
  context: ChallengeContext,
): Promise<JsonObject | Exclude<ChallengeResult, 'passed'>> {
  const given = Object.entries(fields).flatMap(([name, value]) => (value ? [[name, value]] : []))
  const asked = await askService(url, { body: new URLSearchParams(given) }, context)
  if (!asked) return 'unavailable'
  const { success, 'error-codes': codes } = asked.json
  if (success === true) return asked.json
  const own = [codes].flat().find((code) => OWN_ERRORS.includes(String(code)))
  if (own === undefined) return 'failed'
  context.host.logger.error(new Error(`the service of a challenge answers ${String(own)}: ${url}`))
  return 'unavailable'
}

/** Returns whether an answer was given on this site. Otherwise the log says for which one, since keys of a test do not show it. */
export function isOfSite(
  hostname: unknown,
  { hostnames }: CaptchaOptions,
  { request, host }: ChallengeContext,
): boolean {
  const accepted = hostnames ?? [new URL(request.origin).hostname]
  if (typeof hostname === 'string' && accepted.includes(hostname.toLowerCase())) return true
  host.logger.warn(
    'challenge-host',
    `the answer to a challenge is for the host ${JSON.stringify(hostname) ?? 'undefined'}, and not for ${accepted.join(' or ')}; if it is yours, add it to \`hostnames\` of the challenge`,
  )
  return false
}

/** Returns the element that loads the script of a service. */
export function scriptFrom(url: string): Markup {
  // A template with the whole end tag would need a helper of the compiler.
  return markup(html`<script src="${url}" async defer><${'/script'}>`)
}

/** Returns the name of an action in the letters that the services allow. */
export const actionName = (action: string): string => action.replace(/[^A-Za-z0-9]/g, '_')
