import { html, type RunRoute } from 'latchkey/plugin'
import { postForm, submitButton } from 'latchkey/plugin/pages'
import type { Terms } from './index.ts'

export const showTerms: RunRoute<Terms> = ({ csrfField, pending }, { version }) => ({
  page: {
    title: 'Our terms',
    lead: `Hello ${pending?.user.name ?? 'you'}. These are the terms of ${version}: be kind.`,
    body: html`${postForm(submitButton('Accept', { kind: 'main' }), { csrfField })}`,
  },
  json: { version },
})

export const acceptTerms: RunRoute<Terms> = async ({ request, pending }, own) => {
  const { host, version, acceptances } = own
  const userId = pending?.user.id ?? ''
  await acceptances.upsert(userId, () => ({ data: { version }, userId }))
  return host.sessions.resume({ request })
}

export const status: RunRoute<Terms> = async ({ current }, { acceptances, version }) => {
  const acceptance = await acceptances.get(current?.user.id ?? '')
  return { json: { accepted: acceptance?.data.version ?? null, current: version } }
}
