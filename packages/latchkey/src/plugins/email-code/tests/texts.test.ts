import { expect, test } from 'vitest'
import { emailCodeSite } from '../../../../tests/support/email-code-site.ts'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import type { Message } from '../../../base/texts/catalogue.ts'
import { atomic } from '../../../model/adapter.ts'
import type { TextsOfLanguage } from '../../../options/texts-option.ts'
import { limits } from '../../limits/index.ts'
import { texts } from '../texts.ts'

/** Each text is its key between marks, and then its places. */
const marked: TextsOfLanguage = Object.fromEntries(
  Object.entries<Message>(texts.en).map(([key, message]) => {
    const text = typeof message === 'string' ? message : message.other
    const shown = `⟦${key}⟧${(text.match(/\{\w+\}/g) ?? []).join(' ')}`
    return [key, typeof message === 'string' ? shown : { other: shown }]
  }),
)

const headers = { accept: 'text/html', 'accept-language': 'eo' }

test('I18N-6: each text of the plugin emailCode is on a page or in a mail', async () => {
  const adapter = memoryAdapter()
  const now = new Date(0)
  await adapter.createUser?.({ id: 'made', email: 'ada@example.com', emailVerified: null })
  await adapter.linkAccount?.({
    userId: 'made',
    type: 'webauthn',
    provider: 'passkey',
    providerAccountId: '7',
  })
  const password = { kind: 'password', key: 'made', userId: 'made', data: {}, version: 1 }
  await adapter[atomic]?.createRecord?.({ ...password, createdAt: now }, now)
  const site = emailCodeSite({ tries: 1 }, { adapter, texts: { eo: marked } })
  const { world } = site
  const shown: string[] = []
  const show = async (answer: Response): Promise<void> => void shown.push(await answer.text())
  await show(await world.get('/auth/email-code/send', { headers }))
  await show(await world.post('/auth/email-code/send', { email: 'no' }, { headers }))
  await world.post('/auth/email-code/send', { email: 'ada@example.com' }, { headers })
  await show(await world.get('/auth/email-code/verify', { headers }))
  await show(await world.post('/auth/email-code/verify', { code: 'no' }, { headers }))
  await show(await world.post('/auth/email-code/verify', { code: '000000' }, { headers }))
  await show(await world.post('/auth/email-code/verify', { code: '000000' }, { headers }))
  world.advance(60)
  await world.post('/auth/email-code/send', { email: 'ada@example.com' }, { headers })
  const code = /\d{6}/.exec(site.mails.at(-1)?.text ?? '')?.[0] ?? ''
  await world.post('/auth/email-code/verify', { code }, { headers })
  const page = '/auth/reauthenticate'
  await show(await world.get(page, { headers }))
  await world.post(page, { way: 'email-code', begin: '1' }, { headers })
  await show(await world.get(page, { headers }))
  const strict = emailCodeSite(
    {},
    { texts: { eo: marked }, plugins: [limits({ hooks: { isDisposable: () => true } })] },
  )
  await show(
    await strict.world.post('/auth/email-code/send', { email: 'ada@example.com' }, { headers }),
  )
  const local = emailCodeSite(
    {},
    { providers: [], texts: { eo: marked } },
    { origin: 'http://localhost:3000' },
  )
  await local.world.post('/auth/email-code/send', { email: 'ada@example.com' }, { headers })
  await show(await local.world.get('/auth/email-code/verify', { headers }))

  const all = [...shown, ...site.mails.map(({ subject, text }) => `${subject}\n${text}`)].join('\n')
  const keys = new Set([...all.matchAll(/⟦([^⟧]+)⟧/g)].map(([, key]) => key))
  expect(Object.keys(texts.en).filter((key) => !keys.has(key))).toEqual([])
  expect(all.replaceAll(/<(style|script)>[\s\S]*?<\/\1>/g, '')).not.toMatch(/\{\w+\}/)
})
