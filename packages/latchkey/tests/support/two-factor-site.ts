import { Secret, TOTP } from 'otpauth'
import type { AuthConfig } from '../../src/entries/index.ts'
import { definePlugin, type FactorControl, type Host } from '../../src/entries/plugin.ts'
import type { createWorld, World } from '../../src/entries/testing.ts'
import type { PasswordsOptions } from '../../src/plugins/passwords/index.ts'
import {
  type TwoFactorApi,
  type TwoFactorOptions,
  type TwoFactorStatus,
  twoFactor,
} from '../../src/plugins/two-factor/index.ts'
import { CHEAP, type PasswordsSite, passwordsSite } from './passwords-site.ts'

/** An authenticator app in software, made by another library than the codes that are compared. */
export interface App {
  /** The id of the authenticator. */
  readonly id: string
  /** Returns the code of a time. @param steps 30 seconds each */
  code(steps?: number): string
}

/** A site with passwords and second factors. */
export interface TwoFactorSite extends PasswordsSite {
  /** Returns the app with a secret. */
  app(secret: string, id?: string): App
  /** Signs up with a password, and sets up an app. */
  enrol(email?: string): Promise<{ readonly app: App; readonly codes: readonly string[] }>
  /** Sets up another app in the session of a browser. */
  addApp(name?: string, browser?: World): Promise<App>
  /** Proves the second factor of the sign-in that waits. */
  verify(code: string, browser?: World, fields?: object): Promise<Response>
  /** Removes what was added to an account within a time, as the plugin `account` does for an owner who gets it back. */
  removeAdded(...asked: Parameters<FactorControl['removeAdded']>): Promise<boolean | undefined>
  /** The second factors of a user, as code of the application reads them. */
  statusOf(email?: string): Promise<TwoFactorStatus>
  /** Signs in with password and code in a browser. The clock goes on, so that the code is new. */
  signInWith(app: App, browser?: World, email?: string): Promise<Response>
}

/** Returns the app with a secret. */
export function appWith(secret: string, world: World, id = ''): App {
  const totp = new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1' })
  return {
    id,
    code: (steps = 0) => totp.generate({ timestamp: world.now() + steps * 30_000 }),
  }
}

export function twoFactorSite(
  options: TwoFactorOptions = {},
  further: Partial<AuthConfig> = {},
  worldOptions: Parameters<typeof createWorld>[1] = {},
  passwordOptions: PasswordsOptions = {},
  moreProviders: AuthConfig['providers'] = [],
): TwoFactorSite {
  const recovery = { hash: CHEAP, count: 5, ...options.recovery }
  let host: Host | undefined
  const asking = definePlugin<'asking'>({
    name: 'asking',
    setUp(given) {
      host = given
      return {}
    },
  })
  const plugins = [twoFactor({ ...options, recovery }), asking, ...((further.plugins ?? []) as [])]
  const site = passwordsSite(passwordOptions, { ...further, plugins }, worldOptions, moreProviders)
  const { world } = site
  const appOf = (secret: string, id = ''): App => appWith(secret, world, id)
  const own: TwoFactorSite = {
    ...site,
    app: appOf,
    async addApp(name = 'Phone', browser = world) {
      const begun = await site.json('two-factor/enrol-totp', { name }, browser)
      const { id, secret } = (await begun.json()) as { id: string; secret: string }
      const app = appOf(secret, id)
      const done = await site.json('two-factor/confirm-totp', { id, code: app.code() }, browser)
      if (done.status !== 200) throw new Error(await done.text())
      return app
    },
    async enrol(email) {
      await site.signUp(email)
      const begun = await site.json('two-factor/enrol-totp', { name: 'Phone' })
      const { id, secret } = (await begun.json()) as { id: string; secret: string }
      const app = appOf(secret, id)
      const done = await site.json('two-factor/confirm-totp', { id, code: app.code() })
      const { recoveryCodes: codes } = (await done.json()) as { recoveryCodes: string[] }
      return { app, codes }
    },
    verify: (code, browser = world, fields = {}) =>
      site.json('two-factor/verify', { method: 'totp', code, ...fields }, browser),
    async removeAdded(...asked) {
      return host?.plugins.factors()?.removeAdded(...asked)
    },
    async statusOf(email = 'ada@example.com') {
      const user = await world.config.adapter?.getUserByEmail?.(email)
      const api = world.core.plan(world.config).plugins?.api('twoFactor') as TwoFactorApi
      return api.status(String(user?.id))
    },
    async signInWith(app, browser = world, email) {
      world.advance(60)
      await site.signIn(email, undefined, browser)
      return own.verify(app.code(), browser)
    },
  }
  return own
}
