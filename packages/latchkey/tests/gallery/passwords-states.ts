import type { SendMailParams } from '../../src/options/provider-options.ts'
import { account } from '../../src/plugins/account/index.ts'
import { type PasswordsOptions, passwords } from '../../src/plugins/passwords/index.ts'
import { sessions } from '../../src/plugins/sessions/index.ts'
import { usernames } from '../../src/plugins/usernames/index.ts'
import Google from '../../src/providers/google.ts'
import { CHEAP, GOOD, OTHER } from '../support/passwords-site.ts'
import { type PageState, type Visitor, visit } from './visitor.ts'

interface Setting {
  readonly options?: PasswordsOptions
  readonly hasNames?: boolean
  readonly hasLinks?: boolean
  readonly hasAccount?: boolean
}

/** A visitor, and the mails that the site sent. */
interface Scene {
  readonly visitor: Visitor
  /** The code of the last mail. */
  code(): string
  /** The first link of the last mail, as path and query. */
  link(path: string): string
  /** Signs Ada up, and in. */
  signUp(): Promise<void>
  /** Waits for a mail with a link to a path, which is sent after the response. */
  mailed(path: string): Promise<void>
}

function state(
  name: string,
  act: (scene: Scene) => Promise<Response>,
  { options = {}, hasNames = false, hasLinks = true, hasAccount = false }: Setting = {},
): PageState {
  return {
    name: `passwords/${name}`,
    async open(look) {
      const texts: string[] = []
      const post = {
        id: 'post',
        name: 'Email',
        type: 'email' as const,
        maxAge: 600,
        options: {},
        sendVerificationRequest() {},
        sendMail: ({ mail }: SendMailParams) => void texts.push(mail.text),
      }
      const visitor = await visit({
        look,
        config: {
          session: { strategy: 'jwt' },
          providers: hasLinks ? [post, Google({ clientId: 'id', clientSecret: 'secret' })] : [post],
          plugins: [
            sessions(),
            passwords({ hash: CHEAP, limits: false, ...options }),
            ...(hasNames ? [usernames()] : []),
            ...(hasAccount ? [account({ limits: false })] : []),
          ],
        },
      })
      const { adapter } = visitor
      await adapter.deleteUser?.('ada')
      const scene: Scene = {
        visitor,
        code: () => /\b\d{6}\b/.exec(texts.at(-1) ?? '')?.[0] ?? '',
        link(path) {
          const pattern = new RegExp(`https://acme\\.example(/auth/${path}\\?\\S*)`)
          const link = pattern.exec(texts.findLast((text) => pattern.test(text)) ?? '')?.[1]
          if (link === undefined) throw new Error(`no mail has a link to ${path}`)
          return link
        },
        async signUp() {
          await visitor.post('/auth/password/sign-up', {
            email: 'ada@example.com',
            password: GOOD,
            name: 'Ada Lovelace',
          })
          await visitor.post('/auth/password/verify', { code: scene.code() })
        },
        async mailed(path) {
          for (let waits = 0; waits < 3000; waits++) {
            if (texts.some((text) => text.includes(`/auth/${path}?`))) return
            await new Promise((resolve) => setTimeout(resolve, 10))
          }
        },
      }
      return act(scene)
    },
  }
}

const SIGN_UP = '/auth/password/sign-up'
const VERIFY = '/auth/password/verify'
const CHANGE = '/auth/password/change'

const begun = ({ visitor }: Scene): Promise<Response> =>
  visitor.post(SIGN_UP, { email: 'ada@example.com', password: GOOD })

async function forgotten({ visitor, mailed }: Scene): Promise<Response> {
  const answer = await visitor.post('/auth/password/forgot', { identifier: 'ada@example.com' })
  await mailed('password/reset')
  return answer
}

async function opened(scene: Scene): Promise<Response> {
  await scene.signUp()
  await forgotten(scene)
  return scene.visitor.get(scene.link('password/reset'))
}

/** People sign in before they prove the address. */
const LET_IN: Setting = { options: { verify: 'after' } }

/** Somebody who signed in before that. */
async function unproved(scene: Scene): Promise<Response> {
  await begun(scene)
  const fields = { identifier: 'ada@example.com', password: GOOD }
  await scene.visitor.post('/auth/password/sign-in', fields)
  return scene.visitor.get(VERIFY)
}

/** Every page of the plugin `passwords` in every state. */
export const passwordsStates: readonly PageState[] = [
  state('sign-up', ({ visitor }) => visitor.get(SIGN_UP)),
  state('sign-up-all', ({ visitor }) => visitor.get(SIGN_UP), {
    hasNames: true,
    options: {
      name: 'required',
      fields: [
        { name: 'company', label: 'Company', required: true },
        { name: 'news', label: 'Send me news', type: 'checkbox' },
      ],
    },
  }),
  state('sign-up-errors', ({ visitor }) =>
    visitor.post(SIGN_UP, { email: 'ada@', password: 'password password', name: 'Ada Lovelace' }),
  ),
  state(
    'sign-up-field-errors',
    ({ visitor }) => visitor.post(SIGN_UP, { email: '', password: 'short', username: '-' }),
    {
      hasNames: true,
      options: {
        name: 'required',
        fields: [{ name: 'terms', label: 'I accept the terms', type: 'checkbox', required: true }],
      },
    },
  ),
  state('verify', begun),
  state('verify-error', async (scene) => {
    await begun(scene)
    return scene.visitor.post(VERIFY, { code: '493871' })
  }),
  state('confirm', async (scene) => {
    await begun(scene)
    return scene.visitor.get(scene.link('password/verify'))
  }),
  state('confirm-elsewhere', async (scene) => {
    await begun(scene)
    return scene.visitor.otherBrowser().get(scene.link('password/verify'))
  }),
  state('confirm-elsewhere-error', async (scene) => {
    await begun(scene)
    const other = scene.visitor.otherBrowser()
    await other.get(scene.link('password/verify'))
    return other.post(VERIFY, { password: 'short' })
  }),
  state('let-in', begun, LET_IN),
  state(
    'let-in-elsewhere',
    async (scene) => {
      await begun(scene)
      return scene.visitor.otherBrowser().get(scene.link('password/verify'))
    },
    LET_IN,
  ),
  state('unproved', unproved, LET_IN),
  state(
    'unproved-address',
    async (scene) => {
      await unproved(scene)
      return scene.visitor.get('/auth/account/addresses')
    },
    { ...LET_IN, hasAccount: true },
  ),
  state(
    'unproved-error',
    async (scene) => {
      await unproved(scene)
      return scene.visitor.post(VERIFY, { code: '493871' })
    },
    LET_IN,
  ),
  state(
    'unproved-link',
    async (scene) => {
      await unproved(scene)
      return scene.visitor.get(scene.link('password/verify'))
    },
    LET_IN,
  ),
  state('link-dead', ({ visitor }) => visitor.get(`${VERIFY}?token=used&email=ada%40example.com`)),
  state('sign-in', ({ visitor }) => visitor.get('/auth/signin'), { hasLinks: false }),
  state('sign-in-names', ({ visitor }) => visitor.get('/auth/signin'), {
    hasLinks: false,
    hasNames: true,
  }),
  state('sign-in-step-2', ({ visitor }) =>
    visitor.post('/auth/signin', { email: 'ada@example.com' }),
  ),
  state('sign-in-wrong', ({ visitor }) =>
    visitor.post('/auth/callback/password', {
      identifier: 'ada@example.com',
      email: 'ada@example.com',
      password: 'wrong',
    }),
  ),
  state('sign-in-check', ({ visitor }) => visitor.get('/auth/password/sign-in')),
  state('sign-in-check-wrong', ({ visitor }) =>
    visitor.post('/auth/password/sign-in', { identifier: 'ada@example.com', password: 'wrong' }),
  ),
  state('forgot', ({ visitor }) => visitor.get('/auth/password/forgot')),
  state('forgot-names', ({ visitor }) => visitor.get('/auth/password/forgot'), { hasNames: true }),
  state('forgot-error', ({ visitor }) =>
    visitor.post('/auth/password/forgot', { identifier: 'ada@' }),
  ),
  state('forgot-sent', forgotten),
  state('reset', opened),
  state('reset-elsewhere', async (scene) => {
    await opened(scene)
    const other = scene.visitor.otherBrowser('curl/8.5.0')
    return other.get(scene.link('password/reset'))
  }),
  state('reset-error', async (scene) => {
    await opened(scene)
    return scene.visitor.post('/auth/password/reset', { password: 'short' })
  }),
  state('reset-dead', ({ visitor }) => visitor.get('/auth/password/reset?token=used')),
  state('reset-done', async (scene) => {
    await opened(scene)
    return scene.visitor.post('/auth/password/reset', { password: OTHER })
  }),
  state('change', async (scene) => {
    await scene.signUp()
    return scene.visitor.get(CHANGE)
  }),
  state('change-error', async (scene) => {
    await scene.signUp()
    return scene.visitor.post(CHANGE, { form: '1', current: 'wrong', password: OTHER })
  }),
  state('change-done', async (scene) => {
    await scene.signUp()
    return scene.visitor.post(CHANGE, { form: '1', current: GOOD, password: OTHER })
  }),
  state('remove', async (scene) => {
    await scene.signUp()
    return scene.visitor.get(`${CHANGE}?confirm=remove`)
  }),
  state('set', async (scene) => {
    await scene.signUp()
    return scene.visitor.post('/auth/password/remove')
  }),
  state('must-change', async (scene) => {
    await scene.signUp()
    const { createLatchkey } = await import('../../src/entries/index.ts')
    const { world } = scene.visitor
    const user = await scene.visitor.adapter.getUserByEmail?.('ada@example.com')
    const { api } = createLatchkey({ ...world.config, texts: {} } as never) as unknown as {
      api: { passwords: { set(id: string, text: string, options: object): Promise<void> } }
    }
    await api.passwords.set(String(user?.id), OTHER, { mustChange: true })
    const other = scene.visitor.otherBrowser()
    return other.post('/auth/callback/password', { identifier: 'ada@example.com', password: OTHER })
  }),
  state('must-change-error', async (scene) => {
    await scene.signUp()
    const { createLatchkey } = await import('../../src/entries/index.ts')
    const { world } = scene.visitor
    const user = await scene.visitor.adapter.getUserByEmail?.('ada@example.com')
    const { api } = createLatchkey({ ...world.config, texts: {} } as never) as unknown as {
      api: { passwords: { set(id: string, text: string, options: object): Promise<void> } }
    }
    await api.passwords.set(String(user?.id), OTHER, { mustChange: true })
    const other = scene.visitor.otherBrowser()
    await other.post('/auth/callback/password', { identifier: 'ada@example.com', password: OTHER })
    return other.post('/auth/password/renew', { password: 'short' })
  }),
]
