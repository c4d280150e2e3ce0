import { expect, test } from 'vitest'
import { vaultSite } from '../../../../tests/attacks/support/vault.ts'
import type { EmailConfig } from '../../../options/provider-options.ts'
import type { TextsOfLanguage } from '../../../options/texts-option.ts'
import { sessions } from '../../sessions/index.ts'
import { proofOfWork } from '../challenge/proof-of-work.ts'
import { limits } from '../index.ts'
import { texts } from '../texts.ts'

/** Each text is its key between marks, and then its places. */
const marked: TextsOfLanguage = Object.fromEntries(
  Object.entries<string>(texts.en).map(([key, text]) => [
    key,
    `⟦${key}⟧${(text.match(/\{\w+\}/g) ?? []).join(' ')}`,
  ]),
)

test('I18N-6: each text of the plugin limits is in a page or a mail, in the language of the visitor', async () => {
  const shown: string[] = []
  const provider: EmailConfig = {
    id: 'mail',
    name: 'Mail',
    type: 'email',
    maxAge: 600,
    sendVerificationRequest: async () => undefined,
    sendMail: async ({ mail }) => void shown.push(`${mail.subject}\n${mail.html}`),
  }
  const challenge = proofOfWork({ cost: 1, range: [1, 2] })
  const { open, world, host, ada } = await vaultSite(
    [limits({ challenge, challengeWhen: () => false }), sessions()],
    {
      config: { providers: [provider], texts: { en: marked } },
    },
  )
  await open('open sesame')
  await open('open sesame', { browser: world.otherBrowser() })
  await expect.poll(() => shown).toHaveLength(1)
  const { records } = host()
  for (const device of (await records.list({ kind: 'device', userId: ada.id, limit: 9 })).records)
    await records.replace(device, { data: { ...device.data, trustedUntil: world.now() + 1 } })
  shown.push(await (await world.get('/auth/signout', { headers: { accept: 'text/html' } })).text())
  const asking = await vaultSite([limits({ challenge, challengeWhen: 'always' })], {
    config: { texts: { en: marked } },
  })
  const page = await asking.world.get('/auth/vault/page', { headers: { accept: 'text/html' } })
  shown.push(await page.text())
  const all = shown.join('\n')
  expect(Object.keys(texts.en).filter((key) => !all.includes(`⟦${key}⟧`))).toEqual([])
  expect(all).not.toMatch(/\{\w+\}/)
})
