import { Secret, TOTP } from 'otpauth'
import { passwords } from '../../src/plugins/passwords/index.ts'
import { sessions } from '../../src/plugins/sessions/index.ts'
import { type TwoFactorOptions, twoFactor } from '../../src/plugins/two-factor/index.ts'
import { email } from '../../src/providers/define.ts'
import Passkey from '../../src/providers/passkey.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { giveNotice } from '../support/notice.ts'
import { register } from '../support/passkeys.ts'
import { CHEAP, GOOD } from '../support/passwords-site.ts'
import { type PageState, type Visitor, visit } from './visitor.ts'

/** A visitor, and what the steps to a page need. */
interface Scene {
  readonly visitor: Visitor
  /** Returns the page with a secret. */
  begin(): Promise<Response>
  /** Types a code of the secret of a page. */
  confirm(page: Response): Promise<Response>
  /** Returns the code of this moment, after one was confirmed. */
  code(): string
  /** Returns the id of the authenticator. */
  id(): string
  signIn(): Promise<Response>
}

function state(
  name: string,
  act: (scene: Scene) => Promise<Response>,
  options: TwoFactorOptions = {},
  hasPasskeys = false,
): PageState {
  return {
    name: `two-factor/${name}`,
    async open(look) {
      let text = ''
      let id = ''
      let totp = new TOTP()
      const post = email({
        id: 'post',
        name: 'Post',
        sendVerificationRequest: () => {},
        sendMail: ({ mail }) => void (text = mail.text),
      })
      const recovery = { hash: CHEAP }
      const visitor = await visit({
        look,
        config: {
          session: { strategy: 'jwt' },
          providers: hasPasskeys ? [post, Passkey()] : [post],
          plugins: [
            sessions(),
            passwords({ hash: CHEAP, limits: false }),
            twoFactor({ limits: false, recovery, ...options }),
          ],
        },
      })
      await visitor.adapter.deleteUser?.('ada')
      await visitor.post('/auth/password/sign-up', { email: 'ada@example.com', password: GOOD })
      await visitor.post('/auth/password/verify', { code: /\b\d{6}\b/.exec(text)?.[0] ?? '' })
      const code = () => totp.generate({ timestamp: visitor.world.now() })
      return act({
        visitor,
        code,
        id: () => id,
        begin: () => visitor.post('/auth/two-factor/enrol-totp', { name: 'Phone' }),
        async confirm(page) {
          const html = await page.text()
          id = /name="id" value="([^"]+)"/.exec(html)?.[1] ?? ''
          const key = /id="key"[^>]*>([^<]+)</.exec(html)?.[1] ?? ''
          const secret = Secret.fromBase32(key.replaceAll(' ', ''))
          totp = new TOTP({ secret })
          return visitor.post('/auth/two-factor/confirm-totp', { id, code: code() })
        },
        signIn: () =>
          visitor.post('/auth/callback/password', {
            identifier: 'ada@example.com',
            password: GOOD,
          }),
      })
    },
  }
}

const PAGE = '/auth/account/two-factor'

async function addKey({ world }: Visitor): Promise<void> {
  await register(world, createAuthenticator(world.origin))
}

/** Returns a state of somebody who has an app. */
const enrolled = (name: string, act: (scene: Scene) => Promise<Response>): PageState =>
  state(name, async (scene) => {
    await scene.confirm(await scene.begin())
    return act(scene)
  })

const MAILED: TwoFactorOptions = { methods: ['totp', 'recovery', 'email'] }

/** Returns a state of somebody who has codes by mail. @param isWaiting after the password */
const mailed = (
  name: string,
  act: (scene: Scene) => Promise<Response>,
  isWaiting = true,
): PageState =>
  state(
    name,
    async (scene) => {
      await scene.visitor.post('/auth/two-factor/use-email', { use: '1' })
      if (isWaiting) await scene.signIn()
      return act(scene)
    },
    MAILED,
  )

/** The pages of the plugin `twoFactor`. */
export const twoFactorStates: readonly PageState[] = [
  state('account-none', ({ visitor }) => visitor.get(PAGE)),
  state('account-until', ({ visitor }) => visitor.get(PAGE), { require: 'all' }),
  enrolled('account', async ({ visitor }) => {
    await giveNotice(visitor.world, PAGE, 'added')
    return visitor.get(PAGE)
  }),
  enrolled('rename', ({ visitor, id }) => visitor.get(`${PAGE}?rename=${id()}`)),
  enrolled('remove', ({ visitor, id }) => visitor.get(`${PAGE}?remove=${id()}`)),
  state('start', ({ visitor }) => visitor.get('/auth/two-factor/enrol-totp')),
  state('secret', ({ begin }) => begin()),
  enrolled('codes', ({ visitor }) => visitor.get('/auth/two-factor/recovery-codes')),
  state('codes-gone', ({ visitor }) => visitor.get('/auth/two-factor/recovery-codes')),
  state('must', ({ visitor }) => visitor.get('/auth/two-factor/enrol'), {
    require: 'all',
    grace: 0,
  }),
  enrolled('code', async ({ visitor, signIn }) => {
    await signIn()
    return visitor.get('/auth/two-factor')
  }),
  enrolled('wrong', async ({ visitor, signIn }) => {
    await signIn()
    return visitor.post('/auth/two-factor/verify', { method: 'totp', code: 'no' })
  }),
  enrolled('recovery', async ({ visitor, signIn }) => {
    await signIn()
    return visitor.get('/auth/two-factor?method=recovery')
  }),
  state(
    'passkey',
    async ({ visitor, signIn }) => {
      await addKey(visitor)
      await visitor.post('/auth/two-factor/use-passkeys', { use: '1' })
      await signIn()
      return visitor.get('/auth/two-factor')
    },
    {},
    true,
  ),
  state(
    'account-passkeys',
    async ({ visitor }) => {
      await addKey(visitor)
      return visitor.get(PAGE)
    },
    {},
    true,
  ),
  state('account-mail', ({ visitor }) => visitor.get(PAGE), MAILED),
  mailed('mail', ({ visitor }) => visitor.get('/auth/two-factor')),
  mailed('mail-sent', async ({ visitor }) => {
    await visitor.post('/auth/two-factor/send', { method: 'email' })
    return visitor.get('/auth/two-factor?method=email')
  }),
  mailed(
    'mail-again',
    ({ visitor }) => visitor.get('/auth/reauthenticate?way=mailed-factor'),
    false,
  ),
  state(
    'sign-out-trusted',
    async ({ visitor, begin, confirm, code, signIn }) => {
      await confirm(await begin())
      visitor.world.advance(60)
      await signIn()
      await visitor.post('/auth/two-factor/verify', { method: 'totp', code: code(), trust: '1' })
      return visitor.get('/auth/signout')
    },
    { limits: true },
  ),
  state(
    'account-browsers',
    async ({ visitor, begin, confirm, code, signIn }) => {
      await confirm(await begin())
      const { world } = visitor
      const other = world.otherBrowser()
      const fields = { method: 'totp', trust: '1' }
      world.advance(60)
      await other.post('/auth/callback/password', { identifier: 'ada@example.com', password: GOOD })
      await other.post('/auth/two-factor/verify', { ...fields, code: code() })
      world.advance(60)
      await signIn()
      await visitor.post('/auth/two-factor/verify', { ...fields, code: code() })
      return visitor.get(PAGE)
    },
    { limits: true },
  ),
  enrolled('again', ({ visitor }) => visitor.get('/auth/reauthenticate?way=recovery')),
]
