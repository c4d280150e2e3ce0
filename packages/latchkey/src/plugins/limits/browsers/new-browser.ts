import {
  agentNameOf,
  dateText,
  type Host,
  type PendingSignIn,
  type SiteRequest,
  siteNameOf,
  writeMail,
} from '../../../entries/plugin.ts'
import { inLanguageOf, notMeButton, tellSecurity } from '../../../entries/plugin-accounts.ts'
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
  const texts = await host.site.text<LimitsTextKey>(request)
  const { text, lang } = texts
  const site = { theme: host.site.theme, origin: request.origin, texts }
  const name = siteNameOf(site)
  const { browser, system } = agentNameOf(request.original.headers)
  const device = [browser, system].flatMap((part) => part ?? []).join(', ')
  const time = dateText(new Date(host.ports.now()).toISOString(), lang)
  const devices = host.sessions.control() && host.site.path('account/sessions')
  const notMe = await notMeButton(
    id,
    `${text('limits:new-device.title', { name })}.`,
    request,
    host,
  )
  const mail = writeMail(
    {
      subject: text('limits:new-device.subject', { name }),
      title: text('limits:new-device.title', { name }),
      body: [
        text('limits:new-device.lead'),
        { facts: [time, ...(device === '' ? [] : [device])] },
        text('limits:new-device.was-you'),
        text('limits:new-device.was-not-you'),
        ...(notMe.length > 0 || !devices
          ? notMe
          : [{ button: text('limits:new-device.devices'), url: `${request.origin}${devices}` }]),
      ],
    },
    site,
  )
  await host.mail({ to, ...mail }, request)
}
