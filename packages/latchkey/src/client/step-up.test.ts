import { expect, test } from 'vitest'
import { GOOD } from '../../tests/support/passwords-site.ts'
import { CODE, codes, reauthenticateSite } from '../../tests/support/reauthenticate-site.ts'
import { finishPopup } from './popup.ts'
import { type StepUpOptions, type StepUpWindows, stepUpClient } from './step-up.ts'

class Channel extends EventTarget {
  static readonly all = new Set<Channel>()
  constructor() {
    super()
    Channel.all.add(this)
  }
  postMessage(data: unknown): void {
    const message = () => new MessageEvent('message', { data })
    for (const each of Channel.all)
      if (each !== this) queueMicrotask(() => each.dispatchEvent(message()))
  }
  close(): void {
    Channel.all.delete(this)
  }
}

const HERE = 'https://app.example/transfer'

/** A page of Ada, who signed in an hour ago. In a window, `visit` is what she does there. */
async function pageOfAda(
  options: StepUpOptions,
  visit: (next: string, site: ReturnType<typeof reauthenticateSite>) => Promise<unknown>,
) {
  const site = reauthenticateSite({ plugins: [codes()] })
  await site.signUp()
  site.world.advance(3600)
  const went: string[] = []
  let changes = 0
  const focus = new Set<() => void>()
  const opened = { closed: false, location: { assign }, close: () => void (opened.closed = true) }
  function assign(url: string): void {
    went.push(`window ${url}`)
    void visit(url, site).then(() => {
      const end = new URL(url).searchParams.get('callbackUrl') ?? ''
      finishPopup({
        BroadcastChannel: Channel,
        location: { href: end },
        close: opened.close,
      })
      opened.closed = true
      for (const look of focus) look()
    })
  }
  const page = {
    BroadcastChannel: Channel,
    location: { href: HERE, assign: (url: string) => void went.push(url) },
    open: () => opened,
    addEventListener: (_: string, look: () => void) => void focus.add(look),
    removeEventListener: (_: string, look: () => void) => void focus.delete(look),
  } as unknown as StepUpWindows
  const client = {
    async ask(path: string, fields: object = {}) {
      const answer = await site.json(path, fields)
      const body = (await answer.json()) as { code?: string }
      if (!answer.ok) throw new Error(body.code)
      return body
    },
    store: { changed: async () => void changes++ },
  }
  const sent: string[] = []
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const { pathname } = new URL(request.url)
    sent.push(pathname)
    const { method, headers } = request
    const body = method === 'GET' ? undefined : await request.text()
    return site.world.request(pathname, { method, headers, ...(body !== undefined && { body }) })
  }
  const step = () => ({
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ maxAge: 600 }),
  })
  return {
    site,
    went,
    sent,
    client: stepUpClient(client, options, page),
    changes: () => changes,
    send,
    step,
    url: 'https://app.example/auth/vault/open',
  }
}

const types = (next: string, site: ReturnType<typeof reauthenticateSite>) =>
  site.prove(next, { way: 'password', password: GOOD })

test('MF-25: the client opens a window, and says whether the session has the proof afterwards', async () => {
  const page = await pageOfAda({ popup: '/done' }, types)
  expect(await page.client.stepUp({ maxAge: 600 })).toBe(true)
  expect(page.went).toEqual([
    expect.stringMatching(/^window https:\/\/app\.example\/auth\/reauthenticate\?for=/),
  ])
  expect(page.changes()).toBe(1)
  // The session has it now, and nothing more is asked.
  expect(await page.client.stepUp({ maxAge: 600 })).toBe(true)
  expect(page.went).toHaveLength(1)
})

test('MF-25: the client does not take a window that ended for a proof', async () => {
  const page = await pageOfAda({ popup: '/done' }, async () => undefined)
  expect(await page.client.stepUp({ maxAge: 600 })).toBe(false)
  expect(page.changes()).toBe(0)
})

test('MF-25: without a window, the browser goes to the page, and comes back', async () => {
  const page = await pageOfAda({}, types)
  expect(await page.client.stepUp({ factors: 2 })).toBe(false)
  const [next = ''] = page.went
  expect(new URL(next).searchParams.get('callbackUrl')).toBe(HERE)
  await page.site.prove(next, { way: 'code', code: CODE })
  expect(await page.client.stepUp({ factors: 2, maxAge: 600 })).toBe(true)
})

test('MF-25: fetch with a step-up repeats a request once after the proof', async () => {
  const page = await pageOfAda({ popup: '/done' }, types)
  const again = page.client.withStepUp(page.send)
  const answer = await again(page.url, page.step())
  expect([answer.status, await answer.json()]).toEqual([200, { isOpen: true }])
  expect(page.sent).toEqual(['/auth/vault/open', '/auth/vault/open'])
  page.site.world.advance(3600)
  const request = await again(new Request(page.url, page.step()))
  expect(await request.json()).toEqual({ isOpen: true })
})

test('MF-25: fetch with a step-up returns any other response as it is, and the refusal without a proof', async () => {
  const page = await pageOfAda({ popup: '/done' }, async () => undefined)
  const again = page.client.withStepUp(page.send)
  const refused = await again(page.url, page.step())
  expect([refused.status, await refused.json()]).toMatchObject([
    403,
    { code: 'reauthentication_required' },
  ])
  expect(page.sent).toHaveLength(1)
  const other = await again('https://app.example/auth/vault/facts')
  expect(other.status).toBe(200)
  expect(page.went).toHaveLength(1)
})

test('T-ACC-25: the need that a script names is checked, and opens nothing', async () => {
  const { site } = await pageOfAda({}, types)
  for (const fields of [
    { maxAge: '600' },
    { factors: 3 },
    { acr: 'x' },
    { phishingResistant: 1 },
    { other: 1 },
  ])
    expect((await site.json('reauthenticate/need', fields)).status).toBe(400)
  const answer = await site.json('reauthenticate/need', { maxAge: 99_999, factors: 1 })
  expect(await answer.json()).toEqual({ status: 'proved' })
  const passkey = await site.json('reauthenticate/need', { phishingResistant: true })
  expect(await passkey.json()).toMatchObject({ status: 'needed' })
  expect((await site.open({ maxAge: 600 })).status).toBe(403)
  const nobody = site.world.otherBrowser()
  expect((await site.json('reauthenticate/need', {}, nobody)).status).toBe(401)
})
