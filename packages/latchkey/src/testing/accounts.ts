import { decodeBase32 } from '../protocols/totp/base32.ts'
import { hotp, stepAt } from '../protocols/totp/hotp.ts'
import type { Mailbox } from './mailbox.ts'
import type { World } from './world.ts'

/** What somebody types to sign up. */
export interface TestAccount {
  /** @default 'ada@example.com' */
  readonly email?: string
  /** @default 'correct horse battery staple' */
  readonly password?: string
  /** Further fields of the form, for example `name`. */
  readonly [field: string]: string | undefined
}

/**
 * Signs up with a password in a browser, proves the address with the code of the mail, and is then signed in.
 *
 * @param mailbox its `provider` is a provider of the configuration, which has the plugin `passwords`.
 * @throws if a step is refused. The message has the response.
 */
export async function signUpAs(
  browser: World,
  mailbox: Mailbox,
  {
    email = 'ada@example.com',
    password = 'correct horse battery staple',
    ...fields
  }: TestAccount = {},
): Promise<void> {
  await ask(browser, 'password/sign-up', { email, password, ...fields })
  const { code } = mailbox.lastOf('verify-address', email)
  await ask(browser, 'password/verify', { code })
}

/** An authenticator app in a test. */
export interface TestApp {
  /** The id of the factor. */
  readonly id: string
  /** The secret, base32. */
  readonly secret: string
  /** The recovery codes; empty if the user has a set already. */
  readonly recoveryCodes: readonly string[]
  /** Returns the code at the time of the world. It works once: for the next one, advance the clock by 30 seconds. */
  code(): Promise<string>
}

/**
 * Sets up an authenticator app for the signed-in user of a browser, and advances the clock by 30 seconds, so that its next code
 * is new. The configuration has the plugin `twoFactor`.
 *
 * @throws if a step is refused. The message has the response.
 */
export async function enrolTotp(browser: World, name: string = 'Phone'): Promise<TestApp> {
  const begun = await ask(browser, 'two-factor/enrol-totp', { name })
  const { id, secret } = begun as { readonly id: string; readonly secret: string }
  const key = decodeBase32(secret) ?? new Uint8Array()
  const code = (): Promise<string> => hotp(key, stepAt(browser.now()))
  const added = await ask(browser, 'two-factor/confirm-totp', { id, code: await code() })
  const { recoveryCodes = [] } = added as { readonly recoveryCodes?: readonly string[] }
  browser.advance(30)
  return { id, secret, recoveryCodes, code }
}

async function ask(browser: World, path: string, fields: object): Promise<unknown> {
  const { basePath } = browser.core.plan(browser.config)
  const response = await browser.json(`${basePath}/${path}`, fields)
  const text = await response.text()
  if (!response.ok) throw new Error(`POST ${path} was refused: ${response.status} ${text}`)
  return JSON.parse(text)
}
