import { html } from '../../src/entries/plugin.ts'
import { postForm, row, section, submitButton } from '../../src/entries/plugin-pages.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import type { SendMailParams } from '../../src/options/provider-options.ts'
import { type AccountOptions, account } from '../../src/plugins/account/index.ts'
import { limits } from '../../src/plugins/limits/index.ts'
import { passwords } from '../../src/plugins/passwords/index.ts'
import { sessions } from '../../src/plugins/sessions/index.ts'
import { twoFactor } from '../../src/plugins/two-factor/index.ts'
import GitHub from '../../src/providers/github.ts'
import Google from '../../src/providers/google.ts'
import Passkey from '../../src/providers/passkey.ts'
import { type CeremonyOptions, createAuthenticator } from '../support/authenticator.ts'
import { giveNotice } from '../support/notice.ts'
import { CHEAP, GOOD } from '../support/passwords-site.ts'
import { type PageState, type Visitor, visit } from './visitor.ts'

/** Ada, who is signed in, and the mails that the site sent. */
interface Scene {
  readonly visitor: Visitor
  /** The newest link to a path of a mail, as path and query. */
  link(path: string): Promise<string>
  /** The code that an address got. */
  code(to: string): Promise<string>
  /** Sends JSON as a page of the site does. */
  json(path: string, fields?: object): Promise<unknown>
}

const CLIENT = { clientId: 'id', clientSecret: 'secret' }

function state(
  name: string,
  act: (scene: Scene) => Promise<Response>,
  options: AccountOptions = {},
  further: AuthConfig['plugins'] = [],
): PageState {
  return {
    name: `account/${name}`,
    async open(look) {
      const mails: SendMailParams['mail'][] = []
      const post = {
        id: 'post',
        name: 'Email',
        type: 'email' as const,
        maxAge: 600,
        options: {},
        sendVerificationRequest() {},
        sendMail: ({ mail }: SendMailParams) => void mails.push(mail),
      }
      const visitor = await visit({
        look,
        config: {
          session: { strategy: 'jwt' },
          providers: [post, Passkey(), Google(CLIENT), GitHub(CLIENT)],
          plugins: [
            sessions(),
            passwords({ hash: CHEAP, limits: false }),
            account({ limits: false, ...options }),
            ...further,
          ],
        },
      })
      await visitor.adapter.deleteUser?.('ada')
      const find = async <Found>(search: () => Found | undefined): Promise<Found> => {
        for (let waits = 0; waits < 3000; waits++) {
          const found = search()
          if (found !== undefined) return found
          await new Promise((resolve) => setTimeout(resolve, 10))
        }
        throw new Error('there is no such mail')
      }
      const scene: Scene = {
        visitor,
        link(path) {
          const pattern = new RegExp(`https://acme\\.example(/auth/${path}\\?\\S*)`)
          return find(
            () => pattern.exec(mails.findLast(({ text }) => pattern.test(text))?.text ?? '')?.[1],
          )
        },
        code: (to) =>
          find(
            () => /\b\d{6}\b/.exec(mails.findLast((mail) => mail.to === to)?.subject ?? '')?.[0],
          ),
        async json(path, fields = {}) {
          const answer = await visitor.world.request(`/auth/${path}`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
            body: JSON.stringify(fields),
          })
          return answer.json()
        },
      }
      await visitor.post('/auth/password/sign-up', {
        email: 'ada@example.com',
        password: GOOD,
        name: 'Ada Lovelace',
      })
      await visitor.post('/auth/password/verify', { code: await scene.code('ada@example.com') })
      return act(scene)
    },
  }
}

/** Adds passkeys: one that is synced, and one of a device. @returns their ids, the newest first */
async function withPasskeys({ visitor, json }: Scene): Promise<string[]> {
  for (const [name, backupEligible, attachment] of [
    ['iCloud Keychain', true, 'platform'],
    ['YubiKey 5', false, 'cross-platform'],
  ] as const) {
    const options = (await json('account/passkey-options')) as CeremonyOptions
    const mutation = { backupEligible, attachment }
    const made = createAuthenticator('https://acme.example').create(options, mutation)
    await json('account/add-passkey', { data: JSON.stringify(made), name })
  }
  const answer = await visitor.world.get('/auth/account/passkeys')
  const { passkeys } = (await answer.json()) as { passkeys: { id: string }[] }
  return passkeys.map(({ id }) => id)
}

const NEW = 'ada@lovelace.example'

async function changing({ visitor, code }: Scene): Promise<string> {
  await visitor.post('/auth/account/change-address', { email: NEW })
  return code(NEW)
}

async function changed(scene: Scene): Promise<Response> {
  const code = await changing(scene)
  return scene.visitor.post('/auth/account/confirm-address', { code })
}

const confirmed = { confirm: 'ada@example.com' }

/** Every page of the plugin `account` in every state. */
export const accountStates: readonly PageState[] = [
  state('overview-until', ({ visitor }) => visitor.get('/auth/account'), {}, [
    twoFactor({ limits: false, require: 'all' }),
  ]),
  state('overview-all', ({ visitor }) => visitor.get('/auth/account')),
  state('profile', ({ visitor }) => visitor.get('/auth/account/profile'), { changeImage: true }),
  state('profile-done', ({ visitor }) =>
    visitor.post('/auth/account/update', { name: 'Ada Lovelace' }),
  ),
  state('profile-error', ({ visitor }) =>
    visitor.post('/auth/account/update', { name: 'x'.repeat(201) }),
  ),
  state('passkeys-none', ({ visitor }) => visitor.get('/auth/account/passkeys')),
  state(
    'passkeys',
    async (scene) => {
      const { visitor } = scene
      await withPasskeys(scene)
      await giveNotice(visitor.world, '/auth/account/passkeys', 'added', 'YubiKey 5')
      return visitor.get('/auth/account/passkeys')
    },
    {},
    [limits()],
  ),
  state('passkey-add', ({ visitor }) => visitor.post('/auth/account/passkey-options')),
  state(
    'security-key-add',
    ({ visitor }) => visitor.post('/auth/account/passkey-options', { second: '1' }),
    {},
    [twoFactor({ limits: false, recovery: { hash: CHEAP } })],
  ),
  state(
    'security-key',
    async (scene) => {
      const key = createAuthenticator('https://acme.example')
      await withPasskeys(scene)
      const options = (await scene.json('account/passkey-options', {
        second: true,
      })) as CeremonyOptions
      const made = key.create(options, { userVerified: false, backupEligible: false })
      await scene.json('account/add-passkey', { data: JSON.stringify(made) })
      return scene.visitor.get('/auth/account/passkeys')
    },
    {},
    [twoFactor({ limits: false, recovery: { hash: CHEAP } })],
  ),
  state('factors-none', ({ visitor }) => visitor.get('/auth/account/two-factor'), {}, [
    twoFactor({ limits: false, recovery: { hash: CHEAP } }),
  ]),
  state('passkey-remove', async (scene) => {
    const [id = ''] = await withPasskeys(scene)
    return scene.visitor.get(`/auth/account/passkeys?confirm=${id}`)
  }),
  state('links-none', ({ visitor }) => visitor.get('/auth/account/links')),
  state('links', async ({ visitor }) => {
    await visitor.world.post('/auth/account/link', { provider: 'github' })
    await linked(visitor, 'github')
    await linked(visitor, 'google')
    return visitor.get('/auth/account/links')
  }),
  state('link-remove', async ({ visitor }) => {
    await linked(visitor, 'google')
    const answer = await visitor.world.get('/auth/account/links')
    const { links } = (await answer.json()) as { links: { id: string }[] }
    return visitor.get(`/auth/account/links?confirm=${links[0]?.id}`)
  }),
  state('addresses', ({ visitor }) => visitor.get('/auth/account/addresses')),
  state('addresses-error', ({ visitor }) =>
    visitor.post('/auth/account/change-address', { email: 'ada@' }),
  ),
  state('addresses-sent', async (scene) => {
    await changing(scene)
    return scene.visitor.get('/auth/account/addresses')
  }),
  state('addresses-wrong', async (scene) => {
    const code = await changing(scene)
    const wrong = code === '123456' ? '654321' : '123456'
    return scene.visitor.post('/auth/account/confirm-address', { code: wrong })
  }),
  state('addresses-confirm', async (scene) => {
    await changing(scene)
    return scene.visitor.get(await scene.link('account/confirm-address'))
  }),
  state('addresses-done', changed),
  state('link-dead', ({ visitor }) => visitor.get('/auth/account/undo-address?token=used')),
  state('undo', async (scene) => {
    await changed(scene)
    return scene.visitor.get(await scene.link('account/undo-address'))
  }),
  state('undo-done', async (scene) => {
    await changed(scene)
    await scene.visitor.get(await scene.link('account/undo-address'))
    return scene.visitor.post('/auth/account/undo-address')
  }),
  state('undo-taken', async (scene) => {
    const { visitor } = scene
    await changed(scene)
    const link = await scene.link('account/undo-address')
    await visitor.adapter.createUser?.({
      id: 'bob',
      email: 'ada@example.com',
      emailVerified: new Date(),
    })
    await visitor.get(link)
    return visitor.post('/auth/account/undo-address')
  }),
  state('secure', async (scene) => {
    await withPasskeys(scene)
    return scene.visitor.get(await scene.link('account/secure'))
  }),
  state('secure-done', async (scene) => {
    await withPasskeys(scene)
    await scene.visitor.get(await scene.link('account/secure'))
    return scene.visitor.post('/auth/account/secure')
  }),
  state('data', ({ visitor }) => visitor.get('/auth/account/data')),
  state('delete', ({ visitor }) => visitor.get('/auth/account/delete')),
  state('delete-error', ({ visitor }) => visitor.post('/auth/account/delete', { confirm: 'x' })),
  state('delete-planned', ({ visitor }) => visitor.post('/auth/account/delete', confirmed)),
  state('delete-done', ({ visitor }) => visitor.post('/auth/account/delete', confirmed), {
    deletion: { grace: 0 },
  }),
  state('delete-mailed', ({ visitor }) => visitor.post('/auth/account/delete', confirmed), {
    deletion: { confirm: 'mail' },
  }),
  state(
    'delete-confirm',
    async ({ visitor, link }) => {
      await visitor.post('/auth/account/delete', confirmed)
      const phone = visitor.otherBrowser()
      await phone.get(await link('account/confirm-delete'))
      return phone.get('/auth/account/confirm-delete')
    },
    { deletion: { confirm: 'mail' } },
  ),
  state('section', ({ visitor }) => visitor.get('/auth/account/orders'), {
    sections: [
      {
        id: 'orders',
        title: 'Orders',
        about: 'What you bought.',
        order: 15,
        render: ({ csrfField, path }) =>
          html`${section({ title: '2 orders' }, [
            row({ picture: 'data', title: 'A book', facts: ['Sent yesterday'] }),
            row({
              picture: 'data',
              title: 'A lamp',
              facts: ['On its way'],
              acts: [
                postForm(submitButton('Send back', { isSmall: true, of: 'A lamp' }), {
                  action: path('return'),
                  csrfField,
                }),
              ],
            }),
          ])}`,
        actions: { return: () => undefined },
      },
    ],
  }),
  state('keep', async ({ visitor }) => {
    await visitor.post('/auth/account/delete', confirmed)
    const other = visitor.otherBrowser()
    return other.post('/auth/callback/password', { identifier: 'ada@example.com', password: GOOD })
  }),
  state('keep-late', async ({ visitor }) => {
    await visitor.post('/auth/account/delete', confirmed)
    const other = visitor.otherBrowser()
    await other.post('/auth/callback/password', { identifier: 'ada@example.com', password: GOOD })
    visitor.world.advance(7 * 24 * 60 * 60)
    Object.assign(visitor.adapter, { deleteUser: () => Promise.reject(new Error('gone')) })
    const { core, config } = visitor.world
    await core.plan(config).plugins?.maintain(60_000)
    await other.post('/auth/callback/password', { identifier: 'ada@example.com', password: GOOD })
    return other.get('/auth/account/keep')
  }),
]

async function linked({ adapter }: Visitor, provider: string): Promise<void> {
  const user = await adapter.getUserByEmail?.('ada@example.com')
  await adapter.linkAccount?.({
    provider,
    providerAccountId: 'ada',
    type: provider === 'github' ? 'oauth' : 'oidc',
    userId: String(user?.id),
  })
}
