import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import { createLatchkey } from '../../../entries/index.ts'
import {
  definePlugin,
  type Host,
  html,
  type Mail,
  withClientAddress,
} from '../../../entries/plugin.ts'
import { developmentMailbox } from '../../../entries/plugin-mailbox.ts'
import type { AuthConfig } from '../../../options/auth-config.ts'
import Resend from '../../../providers/resend.ts'
import { createWorld, type World } from '../../../testing/world.ts'
import { codeIn, createMailStore, linkIn } from '../store.ts'

const HOSTILE = '<script>alert(1)</script>"\'><img src=x onerror=alert(1)>'

const MAIL: Mail = {
  to: 'ada@example.com',
  subject: 'Confirm your address',
  text: 'Open this link:\n\nhttp://localhost:3000/auth/verify?token=abc\n\nBye',
  html: html`<p style="color:red">Open <a href="http://localhost:3000/auth/verify?token=abc">this</a></p>`,
}

/** A plugin that sends a mail with each POST, and says where it is kept. */
const sender = (mail: Mail = MAIL) =>
  definePlugin<'sender', object, Host>({
    name: 'sender',
    needs: ['mail'],
    brings: [developmentMailbox()],
    routes: {
      send: {
        POST: {
          who: 'anyone',
          run: async () => async (call, host) => {
            await host.mail(mail, call.request)
            return { json: { mailbox: host.site.mailbox(call.request) ?? null } }
          },
        },
      },
    },
    setUp: (host) => ({ own: host }),
  })

function worldOf(
  config: Partial<AuthConfig> = {},
  origin = 'http://localhost:3000',
  mail?: Mail,
): World {
  return createWorld(
    { adapter: memoryAdapter(), providers: [], plugins: [sender(mail)], ...config },
    { origin },
  )
}

let lines: string[]
beforeEach(() => {
  lines = []
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
})
afterEach(() => vi.restoreAllMocks())

const HTML = { accept: 'text/html' }

async function send(world: World) {
  const answer = await world.request('/auth/send', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: '{}',
  })
  return { status: answer.status, body: (await answer.json()) as { mailbox: string | null } }
}

async function pageOf(world: World, headers: Record<string, string> = {}) {
  const answer = await world.get('/auth/mailbox', { headers: { ...HTML, ...headers } })
  return {
    status: answer.status,
    policy: answer.headers.get('content-security-policy'),
    text: await answer.text(),
  }
}

describe('ACC-23: mails in development, without a mail provider', () => {
  test('are kept in the process, shown with the newest first, and linked for the page that asks to look', async () => {
    const world = worldOf()
    expect((await pageOf(world)).text).toContain('No mails')
    expect(await send(world)).toEqual({ status: 200, body: { mailbox: '/auth/mailbox' } })
    await send(world)
    const { status, text } = await pageOf(world)
    expect(status).toBe(200)
    expect(text.match(/Confirm your address/g)).toHaveLength(2)
    expect(text).toContain('href="http://localhost:3000/auth/verify?token=abc"')
    expect(text).toContain('ada@example.com')
  })

  test('cause one line of the log each, with the link or the code', async () => {
    const world = worldOf()
    await send(world)
    const line =
      '[latchkey][info] not sent: "Confirm your address" to "ada@example.com": http://localhost:3000/auth/verify?token=abc'
    expect(lines).toEqual([line])
    const coded = worldOf({}, undefined, { ...MAIL, text: 'Your code:\n\n493817\n' })
    await send(coded)
    expect(lines.at(-1)).toBe(
      '[latchkey][info] not sent: "Confirm your address" to "ada@example.com": code 493817',
    )
    expect(coded.log).toEqual([])
  })

  test('have the link and the code as the plugin gives them, whatever the text says', async () => {
    const url = 'http://localhost:3000/auth/verify?token=given'
    const world = worldOf({}, undefined, { ...MAIL, urls: [url], code: 'KX7-PQ2' })
    await send(world)
    expect(lines.at(-1)).toContain(`: ${url}`)
    const { text } = await pageOf(world)
    expect(text).toContain(`href="${url}"`)
    expect(text).toContain('KX7-PQ2')
  })

  test('are sent if there is a provider that sends them, and there is no page then', async () => {
    const sent: string[] = []
    const world = createWorld(
      {
        adapter: memoryAdapter(),
        providers: [Resend({ apiKey: 'key', from: 'a@b.example' })],
        plugins: [sender()],
      },
      {
        origin: 'http://localhost:3000',
        fetch: async (_, init) => {
          sent.push(String(init?.body))
          return Response.json({})
        },
      },
    )
    expect((await send(world)).body).toEqual({ mailbox: null })
    expect(sent).toHaveLength(1)
    expect((await pageOf(world)).status).toBe(404)
  })

  test('are refused at the start in production, with the name of what to add', () => {
    const config = {
      adapter: memoryAdapter(),
      secret: 'zK3v9Qm7Lx2Rt8Yw5Pn1Bc6Df4Gh0JsA=',
      providers: [],
      plugins: [sender()],
    }
    const env = { AUTH_URL: 'http://localhost:3000' }
    expect(() => createLatchkey(config, env)).not.toThrow()
    expect(() => createLatchkey(config, { ...env, NODE_ENV: 'production' })).toThrow(
      'the plugin sender sends mails, but there is no mail provider; add one to `providers`',
    )
  })
})

describe('ACC-23: the page with the mails', () => {
  test.each([
    ['another host', 'https://app.example', {}],
    ['a name of another site for this machine', 'http://localhost:3000', { host: 'evil.example' }],
    ['a proxy that says so', 'http://localhost:3000', { 'x-forwarded-host': 'evil.example' }],
    [
      'a client elsewhere behind a proxy',
      'http://localhost:3000',
      { 'x-forwarded-for': '127.0.0.1, 192.0.2.7' },
    ],
    ['a client elsewhere behind nginx', 'http://localhost:3000', { 'x-real-ip': '192.0.2.7' }],
    ['a proxy with the standard header', 'http://localhost:3000', { forwarded: 'for=192.0.2.7' }],
  ])('does not exist for %s, and no page links to it', async (_, origin, headers) => {
    const world = worldOf({}, origin)
    await send(world)
    expect((await pageOf(world, headers as Record<string, string>)).status).toBe(404)
    if (origin !== 'http://localhost:3000')
      expect((await send(world)).body).toEqual({ mailbox: null })
  })

  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])(
    'is open to this machine at %s',
    async (from) => {
      const { core, config } = worldOf()
      const answer = await core.auth(
        withClientAddress(
          new Request('http://localhost:3000/auth/mailbox', { headers: HTML }),
          from,
        ),
        config,
      )
      expect(answer.status).toBe(200)
    },
  )

  test('does not exist for another machine that names this host', async () => {
    const { core, config } = worldOf()
    const request = new Request('http://localhost:3000/auth/mailbox', { headers: HTML })
    const answer = await core.auth(withClientAddress(request, '192.168.1.7'), config)
    expect(answer.status).toBe(404)
  })

  test('does not exist under another name, whatever the configured address is', async () => {
    const config = {
      adapter: memoryAdapter(),
      secret: 'zK3v9Qm7Lx2Rt8Yw5Pn1Bc6Df4Gh0JsA=',
      providers: [],
      plugins: [sender()],
    }
    const { handler } = createLatchkey(config, { AUTH_URL: 'http://localhost:3000' })
    const statusAt = async (host: string) =>
      (await handler(new Request(`http://${host}/auth/mailbox`, { headers: { ...HTML, host } })))
        .status
    expect(await statusAt('localhost:3000')).toBe(200)
    expect(await statusAt('evil.example:3000')).toBe(404)
  })

  test('shows a hostile mail as text, and its HTML in a frame without rights under the policy of the page', async () => {
    const world = worldOf({}, undefined, {
      to: 'ada@example.com',
      subject: HOSTILE,
      text: HOSTILE,
      html: HOSTILE as unknown as Mail['html'],
    })
    await send(world)
    const { text, policy } = await pageOf(world)
    expect(text).not.toContain('<script>alert(1)')
    expect(text).not.toContain('<img')
    expect(text).toContain('<iframe sandbox title="')
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe-inline')
    expect(policy).not.toMatch(/frame-src|child-src/)
  })
})

describe('the store of the mailbox', () => {
  test('keeps the newest 100 mails', () => {
    const store = createMailStore<number>()
    for (let at = 0; at < 120; at++) store.keep(at)
    expect(store.list()).toHaveLength(100)
    expect(store.list()[0]).toBe(119)
  })

  test('finds links to the own site only, and codes on a line of their own', () => {
    const text = 'Not http://evil.example/x but\nhttp://localhost:3000/auth/verify?token=1\n'
    expect(linkIn({ text }, 'http://localhost:3000')).toBe(
      'http://localhost:3000/auth/verify?token=1',
    )
    expect(linkIn({ text: 'javascript:alert(1)' }, 'http://localhost:3000')).toBeUndefined()
    expect(codeIn({ text: 'Or type this code:\n\n012345\n\nBye' })).toBe('012345')
    expect(codeIn({ text: 'Order 123456 was sent.\n123456789\n' })).toBeUndefined()
  })
})
