import {
  type AdapterUser,
  Problem,
  type SiteRequest,
  sessionRequest,
} from '../../entries/plugin.ts'
import { endSessions, inLanguageOf, tellSecurity } from '../../entries/plugin-accounts.ts'
import { endResets } from './flows/end-resets.ts'
import { siteNames, wordsAbout } from './flows/known-words.ts'
import { mailReset } from './mails.ts'
import type { Own } from './own.ts'
import type { PasswordsApi } from './passwords-api.ts'
import { faultsOf } from './refusals.ts'
import { createLink } from './routes/forgot.ts'
import { checkPassword, type PasswordReason } from './rules/check-password.ts'

/** Creates the functions for code of the application. */
export function createApi(own: Own): PasswordsApi {
  const { host, passwords, settings } = own
  return {
    async set(userId, password, { mustChange, endSessions: ends = true, skipRules } = {}) {
      const user = await needUser(userId, own)
      const about = await wordsAbout(user, undefined, own)
      const reasons = skipRules ? [] : await checkPassword(password, about, settings.rules, host)
      if (reasons.length > 0)
        throw new Problem('password_refused', refusal(reasons), { errors: faultsOf(reasons) })
      const hasher = await own.hasher()
      const phc = await hasher.hash(password)
      const read = await passwords.read(user.id)
      if (!(await passwords.write(user.id, read, { phc, by: 'admin', mustChange })))
        throw new Problem('conflict', 'the password was changed meanwhile; try again')
      if (ends) await endSessions(user.id, 'password-changed', host)
      await endResets(user.id, own)
      await host.attempts.strikes('password').clear(user.id)
      await tellSecurity(host, { type: 'password.set', outcome: 'success', userId: user.id })
    },
    async verify(userId, password, request) {
      const read = await passwords.read(userId)
      const hasher = await own.hasher()
      if (!request) return hasher.verify(password, read?.phc)
      const asked = siteRequestOf(request, own)
      await host.attempts.count('password.change', { request: asked, userId })
      const strikes = host.attempts.strikes('password')
      const phc = (await strikes.isDisabled(userId, asked)) ? undefined : read?.phc
      const isRight = await hasher.verify(password, phc)
      await (isRight ? strikes.right(userId, asked) : strikes.wrong(userId, asked))
      return isRight
    },
    async has(userId) {
      return (await passwords.kind.get(userId)) !== null
    },
    async remove(userId) {
      await passwords.kind.delete(userId)
      await endResets(userId, own)
      await tellSecurity(host, { type: 'password.removed', outcome: 'success', userId })
    },
    async createResetLink(userId, { origin = host.site.origin, expiresIn, send = false } = {}) {
      if (origin === undefined)
        throw new TypeError(
          'the link needs the origin of the site: set AUTH_URL, or pass `origin` (latchkey.api.passwords.createResetLink)',
        )
      const user = await needUser(userId, own)
      if (!user.email) throw new Problem('not_found', 'the user has no address')
      const request = siteRequestOf(new Request(origin), own)
      const link = await createLink(user.id, user.email, request, own, expiresIn)
      if (send) {
        const theirs = await inLanguageOf(user.id, request, host)
        await mailReset({ to: user.email, userId: user.id }, link, theirs, own)
      }
      return { url: link.url, expires: link.expires }
    },
    async check(password, about = {}) {
      const known = { ...about, siteNames: siteNames(undefined, own) }
      const reasons = await checkPassword(password, known, settings.rules, host)
      return reasons.length === 0 ? { ok: true } : { ok: false, reasons }
    },
    async importHash(userId, hash) {
      const user = await needUser(userId, own)
      const hasher = await own.hasher()
      const phc = await hasher.accept(hash)
      if (!(await passwords.write(user.id, undefined, { phc, by: 'import' })))
        throw new Problem('conflict', 'the user has a password already')
    },
  }
}

async function needUser(userId: string, { host }: Own): Promise<AdapterUser> {
  const user = await host.store?.getUser(userId)
  if (user) return user
  throw new Problem('not_found', 'there is no such user')
}

/** Returns a request of code, as the limits and mails read it. */
function siteRequestOf(original: Request, { host }: Own): SiteRequest {
  const { origin, searchParams: query } = new URL(original.url)
  return {
    ...sessionRequest(original, origin),
    method: 'GET',
    origin,
    base: `${origin}${host.site.basePath}`,
    query,
    form: {},
    original,
  }
}

/** For the log of the application. */
function refusal(reasons: readonly PasswordReason[]): string {
  const codes = reasons.map(({ code }) => code).join(', ')
  return `the rules refuse the password: ${codes} (\`skipRules\` takes it)`
}
