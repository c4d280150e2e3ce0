import { createTestProvider } from '../../src/entries/testing.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import { emailCode } from '../../src/plugins/email-code/index.ts'
import { passwords } from '../../src/plugins/passwords/index.ts'
import { sessions } from '../../src/plugins/sessions/index.ts'
import { email } from '../../src/providers/define.ts'
import { CHEAP, GOOD } from '../support/passwords-site.ts'
import { claiming, codes } from '../support/reauthenticate-site.ts'
import { type PageState, type Visitor, visit } from './visitor.ts'

const PAGE = '/auth/reauthenticate'

function state(
  name: string,
  act: (visitor: Visitor) => Promise<Response>,
  plugins: NonNullable<AuthConfig['plugins']> = [codes()],
  providers: AuthConfig['providers'] = [],
): PageState {
  return {
    name: `reauthenticate/${name}`,
    async open(look) {
      let text = ''
      const post = email({
        id: 'post',
        name: 'Post',
        sendVerificationRequest: () => {},
        sendMail: ({ mail }) => void (text = mail.text),
      })
      const visitor = await visit({
        look,
        config: {
          session: { strategy: 'jwt' },
          providers: [post, ...providers],
          plugins: [sessions(), passwords({ hash: CHEAP, limits: false }), ...plugins],
        },
      })
      await visitor.adapter.deleteUser?.('ada')
      await visitor.post('/auth/password/sign-up', { email: 'ada@example.com', password: GOOD })
      await visitor.post('/auth/password/verify', { code: /\b\d{6}\b/.exec(text)?.[0] ?? '' })
      return act(visitor)
    },
  }
}

/** The page on which users prove their identity again. */
export const reauthenticateStates: readonly PageState[] = [
  state('strongest', (visitor) => visitor.get(PAGE)),
  state('other', (visitor) => visitor.get(`${PAGE}?way=password`)),
  state('alone', (visitor) => visitor.get(PAGE), []),
  state('mail', (visitor) => visitor.get(`${PAGE}?way=email-code`), [emailCode({ limits: false })]),
  state('mailed', (visitor) => visitor.post(PAGE, { way: 'email-code', begin: '1' }), [
    emailCode({ limits: false }),
  ]),
  state(
    'provider',
    async (visitor) => {
      const user = await visitor.adapter.getUserByEmail?.('ada@example.com')
      await visitor.adapter.linkAccount?.({
        userId: String(user?.id),
        provider: 'acme',
        providerAccountId: 'ada',
        type: 'oidc',
      })
      return visitor.get(`${PAGE}?way=provider-acme`)
    },
    [codes()],
    [claiming(createTestProvider({ id: 'acme' }))],
  ),
  state('wrong', (visitor) => visitor.post(PAGE, { way: 'password', password: 'wrong' })),
]
