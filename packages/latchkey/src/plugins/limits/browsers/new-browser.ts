import {
  agentNameOf,
  dateText,
  definedOnly,
  type Host,
  type PendingSignIn,
  type SiteRequest,
  siteNameOf,
} from '../../../entries/plugin.ts'
import {
  inLanguageOf,
  notMeButton,
  sendMail,
  tellSecurity,
} from '../../../entries/plugin-accounts.ts'
import type { LimitsTextKey } from '../texts.ts'

/** Emits the event about a sign-in with a browser that is new to its user, and mails the user. */
export async function tellOfBrowser(
  { user }: PendingSignIn,
  request: SiteRequest,
  { host, sendsMail }: { readonly host: Host; readonly sendsMail: boolean },
): Promise<void> {
  const userId = String(user.id)
  await tellSecurity(host, { type: 'device.new', outcome: 'success', userId })
  const isProven = 'emailVerified' in user && user.emailVerified instanceof Date
  const { email } = user
  if (!sendsMail || !isProven || !email || !host.hasMail) return
  await host.work.background('new-device', () => mailTo({ id: userId, email }, request, host))
}

async function mailTo(
  { id, email: to }: { readonly id: string; readonly email: string },
  caused: SiteRequest,
  host: Host,
): Promise<void> {
  const request = await inLanguageOf(id, caused, host)
  const { text } = await host.site.text<LimitsTextKey>(request)
  const name = siteNameOf({ theme: host.site.theme, origin: request.origin })
  const { browser, system } = agentNameOf(request.original.headers)
  const device = [browser, system].flatMap((part) => part ?? []).join(', ')
  const at = new Date(host.ports.now())
  const happened = `${text('limits:new-device.title', { name })}.`
  const [notMe] = await notMeButton(id, happened, request, host)
  const devices = host.sessions.control() && host.site.path('account/sessions')
  const button =
    notMe ??
    (devices && { button: text('limits:new-device.devices'), url: `${request.origin}${devices}` })
  const values = { at, ...definedOnly({ browser, system, url: button?.url }) }
  await sendMail<LimitsTextKey>(
    { to, userId: id, kind: 'new-device', values },
    request,
    host,
    (parts) => ({
      subject: text('limits:new-device.subject', { name }),
      title: text('limits:new-device.title', { name }),
      body: [
        text('limits:new-device.lead'),
        {
          facts: [dateText(at.toISOString(), parts.lang), ...(device === '' ? [] : [device])],
        },
        text('limits:new-device.was-you'),
        text('limits:new-device.was-not-you'),
        ...(button ? [button] : []),
      ],
    }),
  )
}
