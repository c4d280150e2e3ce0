import { html, markup, type RunRoute } from 'latchkey/plugin'
import type { Terms } from './index.ts'

export const showTerms: RunRoute<Terms> = ({ csrfField, pending }, { version }) => ({
  page: {
    title: 'Our terms',
    body: html`<h1>Our terms</h1>
<p class="lead">Hello ${pending?.user.name ?? 'you'}. These are the terms of ${version}: be kind.</p>
<form method="post" class="stack">${markup(csrfField)}
<button class="button main">Accept</button>
</form>`,
  },
  json: { version },
})

export const acceptTerms: RunRoute<Terms> = async ({ request, pending }, { host, version }) => {
  const key = pending?.user.id ?? ''
  const before = await host.records.get('terms', key)
  if (before) await host.records.replace(before, { data: { version } })
  else await host.records.create({ kind: 'terms', key, userId: key, data: { version } })
  return host.resume({ request })
}

export const status: RunRoute<Terms> = async ({ current }, { acceptedBy, version }) => {
  const accepted = await acceptedBy(current?.user.id ?? '')
  return { json: { accepted, current: version } }
}
