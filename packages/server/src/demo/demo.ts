import { isIP } from 'node:net'
import type { Adapter } from 'latchkey/adapters'
import { oidc, type Provider } from 'latchkey/providers'
import Passkey from 'latchkey/providers/passkey'
import type { Session } from 'latchkey/types'
import type { App } from '../http/app.ts'
import type { NodeHandler } from '../http/listener.ts'
import { messagePage, pageResponse } from '../http/page.ts'
import { createDemoAccount, type DemoAccount } from './demo-account.ts'
import { createIdp } from './idp.ts'
import { createMailbox, type Mailbox } from './mailbox.ts'
import { homePage, mailboxPage, mailResponse } from './pages.ts'

/** What the demo is given. */
export interface DemoOptions {
  readonly origin: string
  readonly basePath: string
  readonly dataDir: string
  readonly adapter: Adapter | undefined
  /** The configured mail server, if there is one. */
  readonly smtp: string | undefined
}

/** What development has beside the service: ways to sign in without an account anywhere, and pages. */
export interface Demo {
  readonly providers: readonly Provider[]
  /** Where users are stored, and the address has a name: there are no passkeys for a bare number. */
  readonly passkeys: Provider | undefined
  /** What to try, for the greeting. */
  readonly account: DemoAccount
  /** Where mail goes when no server is configured. */
  readonly mailTransport: Mailbox['transport']
  readonly node: NodeHandler
  /** @param hasSessionsPage whether the page with the sessions of a user exists. */
  mount(
    app: App,
    sessionOf: (request: Request) => Promise<Session | null>,
    hasSessionsPage: boolean,
  ): void
}

export async function createDemo({
  origin,
  basePath,
  dataDir,
  adapter,
  smtp,
}: DemoOptions): Promise<Demo> {
  const mailbox = createMailbox()
  const account = createDemoAccount(dataDir, adapter)
  const base = `${origin}${basePath}`
  const idp = await createIdp(origin, {
    redirectUri: `${base}/callback/development`,
    afterLogout: `${base}/logout/return`,
  })
  const development = oidc({
    id: 'development',
    name: 'Development account',
    issuer: idp.issuer,
    clientId: idp.clientId,
    clientSecret: idp.clientSecret,
    checks: ['pkce', 'state', 'nonce'],
    client: { id_token_signed_response_alg: 'ES256' },
  })
  const passkeys = adapter && hasName(origin) ? Passkey() : undefined
  return {
    providers: [development],
    passkeys,
    account,
    mailTransport: mailbox.transport,
    node: idp.handle,
    mount(app, sessionOf, hasSessionsPage) {
      app.get('/', async ({ req, env }) => {
        env.exchange.outcome = 'home'
        const session = await sessionOf(req.raw)
        return pageResponse(
          homePage({
            session,
            basePath,
            mailbox: true,
            passkeys: passkeys !== undefined,
            accountPage: hasSessionsPage,
          }),
        )
      })
      // A page of another site whose name was pointed at this machine must not read the links.
      app.use('/mailbox/*', async ({ env }, next) => {
        env.exchange.outcome = 'mailbox'
        if (env.exchange.ownHost) return next()
        return pageResponse(messagePage(421, 'Not here', `The mailbox is at ${origin}/mailbox.`))
      })
      app.get('/mailbox', () => {
        const smtpHost = smtp === undefined ? undefined : new URL(smtp).host
        return pageResponse(mailboxPage({ mails: mailbox.list(), origin, smtpHost }))
      })
      app.get('/mailbox/:id', ({ req }) => {
        const mail = mailbox.find(req.param('id'))
        return mail
          ? mailResponse(mail)
          : pageResponse(
              messagePage(404, 'Not found', 'This mail no longer exists.', {
                href: '/mailbox',
                text: 'Mailbox',
              }),
            )
      })
    },
  }
}

function hasName(origin: string): boolean {
  return isIP(new URL(origin).hostname.replace(/^\[|\]$/g, '')) === 0
}
