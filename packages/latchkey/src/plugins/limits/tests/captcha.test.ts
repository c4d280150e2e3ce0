import { describe, expect, test } from 'vitest'
import { vault, vaultSite } from '../../../../tests/attacks/support/vault.ts'
import { friendlyCaptcha } from '../captcha/friendly-captcha.ts'
import { hcaptcha } from '../captcha/hcaptcha.ts'
import { recaptcha } from '../captcha/recaptcha.ts'
import { turnstile } from '../captcha/turnstile.ts'
import type { ChallengePort } from '../challenge/port.ts'
import { proofOfWork } from '../challenge/proof-of-work.ts'
import { limits } from '../index.ts'

const KEYS = { siteKey: 'the site key', secretKey: 'the secret key' }
const RIGHT = 'open sesame'

interface Asked {
  readonly url: string
  readonly fields: Record<string, string>
  readonly apiKey: string | null
}

type Says = (asked: Asked) => unknown

/** A service as its documentation describes it: a function says what it answers. */
function serviceThat(says: Says): { fetch: typeof fetch; asked: Asked[] } {
  const asked: Asked[] = []
  return {
    asked,
    fetch: async (url, init) => {
      const { body } = init ?? {}
      const fields =
        body instanceof URLSearchParams
          ? Object.fromEntries(body)
          : (JSON.parse(String(body)) as Record<string, string>)
      const one = { url: String(url), fields, apiKey: new Headers(init?.headers).get('x-api-key') }
      asked.push(one)
      const answer = says(one)
      return answer instanceof Response ? answer : Response.json(answer)
    },
  }
}

const HOST = 'app.example'
const ACTION = 'vault_open'

/** Each service: its challenge, its URL, and what it answers to a right answer. */
const SERVICES: readonly {
  name: string
  port: (more?: object) => ChallengePort
  url: string
  right: Record<string, unknown>
  wrong: Record<string, unknown>
  other: readonly Record<string, unknown>[]
}[] = [
  {
    name: 'turnstile',
    port: (more) => turnstile({ ...KEYS, ...more }),
    url: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
    right: { success: true, hostname: HOST, action: ACTION, 'error-codes': [] },
    wrong: { success: false, 'error-codes': ['timeout-or-duplicate'] },
    other: [{ hostname: 'evil.example' }, { action: 'other' }, { hostname: undefined }],
  },
  {
    name: 'hcaptcha',
    port: (more) => hcaptcha({ ...KEYS, ...more }),
    url: 'https://api.hcaptcha.com/siteverify',
    right: { success: true, hostname: HOST, challenge_ts: '2030-01-01T00:00:00Z' },
    wrong: { success: false, 'error-codes': ['invalid-or-already-seen-response'] },
    other: [{ hostname: 'evil.example' }],
  },
  {
    name: 'recaptcha',
    port: (more) => recaptcha({ ...KEYS, ...more }),
    url: 'https://www.google.com/recaptcha/api/siteverify',
    right: { success: true, hostname: HOST },
    wrong: { success: false, 'error-codes': ['invalid-input-response'] },
    other: [{ hostname: 'evil.example' }],
  },
  {
    name: 'recaptcha with a score',
    port: (more) => recaptcha({ ...KEYS, score: 0.5, ...more }),
    url: 'https://www.google.com/recaptcha/api/siteverify',
    right: { success: true, hostname: HOST, action: ACTION, score: 0.7 },
    wrong: { success: true, hostname: HOST, action: ACTION, score: 0.3 },
    other: [{ hostname: 'evil.example' }, { action: 'other' }, { score: undefined }],
  },
  {
    name: 'friendlyCaptcha',
    port: (more) => friendlyCaptcha({ ...KEYS, ...more }),
    url: 'https://global.frcapi.com/api/v2/captcha/siteverify',
    right: { success: true, data: { challenge: { origin: `https://${HOST}` } } },
    wrong: { success: false, error: { error_code: 'response_invalid', detail: '' } },
    other: [{ data: { challenge: { origin: 'https://evil.example' } } }, { data: undefined }],
  },
]

async function siteWith(port: ChallengePort, says: Says) {
  const { fetch, asked } = serviceThat(says)
  const site = await vaultSite([limits({ challenge: port, challengeWhen: 'always' })], {
    own: vault({ limits: {} }),
    fetch,
  })
  const open = (answer?: string, field = port.field) =>
    site.open(RIGHT, { ...(answer !== undefined && { more: { [field]: answer } }) })
  return { ...site, open, asked }
}

const codeOf = async (response: Response): Promise<string> =>
  ((await response.json()) as { code?: string }).code ?? `${response.status}`

describe.each(SERVICES)('LIM-12: $name', ({ port, url, right, wrong, other }) => {
  test('lets an attempt through with a right answer, which it asks the service about', async () => {
    const { open, asked } = await siteWith(port(), () => right)
    expect(await codeOf(await open())).toBe('challenge_required')
    expect(asked).toEqual([])
    expect((await open('an answer')).status).toBe(200)
    expect(asked[0]?.url).toBe(url)
    expect(asked[0]?.fields['response']).toBe('an answer')
    expect(asked[0]?.fields['secret'] ?? asked[0]?.apiKey).toBe(KEYS.secretKey)
  })

  test('T-ACC-37: refuses an answer that was used, is wrong, or was given elsewhere', async () => {
    const { open, world } = await siteWith(port(), ({ fields }) => {
      const { response = '' } = fields
      if (response === 'wrong') return wrong
      const changed = other[Number(response.split(' ')[1])]
      return response.startsWith('other') ? { ...right, ...changed } : right
    })
    expect(await codeOf(await open('wrong'))).toBe('challenge_required')
    for (const at of other.keys())
      expect(await codeOf(await open(`other ${at}`))).toBe('challenge_required')
    const warnings = world.log.filter(({ message }) => message === 'challenge-host')
    expect(JSON.stringify(warnings)).toContain('evil.example')
    expect((await open('right')).status).toBe(200)
    expect(await codeOf(await open('right'))).toBe('challenge_required')
  })

  test.each([
    ['an error', () => new Response('down', { status: 503 })],
    ['no JSON', () => new Response('<html>')],
    [
      'nothing',
      () => {
        throw new TypeError('fetch failed')
      },
    ],
  ])('T-ACC-37: refuses with 503 if the service answers with %s', async (_, says) => {
    const { open, asked, world } = await siteWith(port(), says)
    const refused = await open('an answer')
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('10')
    expect(world.log.map(({ message }) => message)).toContain('challenge-unavailable')
    expect((await open('another answer')).status).toBe(503)
    expect(asked).toHaveLength(1)
    world.advance(61)
    await open('a third answer')
    expect(asked).toHaveLength(2)
  })

  test('lets attempts through without its service, if that was chosen', async () => {
    const { open } = await siteWith(port({ whenUnavailable: 'allow' }), () => {
      throw new TypeError('fetch failed')
    })
    expect((await open('an answer')).status).toBe(200)
  })

  test('is replaced by a proof of work without its service, if that was chosen', async () => {
    const instead = port({ whenUnavailable: proofOfWork({ cost: 1, range: [1, 2] }) })
    let isDown = false
    const { open } = await siteWith(instead, () =>
      isDown ? new Response('', { status: 502 }) : right,
    )
    const ask = async () =>
      ((await (await open('')).json()) as { challenge: { id: string } }).challenge.id
    expect(await ask()).toBe(instead.id)
    isDown = true
    expect(await codeOf(await open('an answer'))).toBe('challenge_required')
    expect(await ask()).toBe('proof-of-work')
  })

  test('puts its widget into the form, and only its own sources into the policy', async () => {
    const { world } = await siteWith(port(), () => right)
    const page = await world.get('/auth/vault/page', { headers: { accept: 'text/html' } })
    const text = await page.text()
    expect(text).toContain(KEYS.siteKey)
    expect(text).not.toContain(KEYS.secretKey)
    const source = text.match(/<script src="([^"]+)"/)?.[1] ?? ''
    const policy = page.headers.get('content-security-policy') ?? ''
    const scripts = /script-src ([^;]+)/.exec(policy)?.[1]?.split(' ') ?? []
    const { origin } = new URL(source)
    const matches = (allowed: string): boolean =>
      source.startsWith(allowed) ||
      (allowed.includes('*.') && origin.endsWith(allowed.split('*')[1] ?? '-'))
    expect(scripts.some(matches)).toBe(true)
    expect(policy).toMatch(/frame-src https:/)
    const plain = await world.get('/auth/signin', { headers: { accept: 'text/html' } })
    expect(plain.headers.get('content-security-policy')).not.toContain(origin)
  })

  test('needs its keys', () => {
    expect(() => port({ siteKey: '' })).toThrow('`siteKey` must be the key of your site')
    expect(() => port({ secretKey: undefined })).toThrow('`secretKey` must be the key of your site')
  })
})

describe('LIM-12: an answer', () => {
  test('may come from other hosts that the application names', async () => {
    const { open } = await siteWith(turnstile({ ...KEYS, hostnames: ['www.app.example'] }), () => ({
      success: true,
      hostname: 'www.app.example',
      action: ACTION,
    }))
    expect((await open('an answer')).status).toBe(200)
  })

  test('may be sent by programs as `challenge`', async () => {
    const { open } = await siteWith(hcaptcha(KEYS), () => ({ success: true, hostname: HOST }))
    expect((await open('an answer', 'challenge')).status).toBe(200)
  })

  test('is not judged with a wrong secret, which the log tells', async () => {
    const { open, world } = await siteWith(hcaptcha(KEYS), () => ({
      success: false,
      'error-codes': ['invalid-input-secret'],
    }))
    expect((await open('an answer')).status).toBe(503)
    expect(world.log.map(({ message }) => message).join()).toContain('invalid-input-secret')
  })

  test('that is too long is refused without the service', async () => {
    const { open, asked } = await siteWith(hcaptcha(KEYS), () => ({
      success: true,
      hostname: HOST,
    }))
    expect(await codeOf(await open('x'.repeat(9000)))).toBe('challenge_required')
    expect(asked).toEqual([])
  })
})
