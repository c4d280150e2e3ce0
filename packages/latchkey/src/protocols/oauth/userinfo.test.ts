import { describe, expect, test } from 'vitest'
import { fetchUserInfo, type UserinfoRequest } from './userinfo.ts'

const url = 'https://acme.example/me'
const tokens = { access_token: 'token of Ada', user_id: 'a/da', uid: 7 }

/** Asks, and tells what was sent. */
async function ask(
  request: Partial<UserinfoRequest>,
  answer: () => Response = () => Response.json({ id: 1 }),
): Promise<{ profile: unknown; sent: Request }> {
  let sent = new Request(url)
  const profile = await fetchUserInfo({ url, ...request }, tokens, async (input, init) => {
    sent = new Request(input, init)
    return answer()
  })
  return { profile, sent }
}

describe('the userinfo request of a plain OAuth provider', () => {
  test('is a GET with the token in its header, as in RFC 6750 section 2.1', async () => {
    const { profile, sent } = await ask({})
    expect(profile).toEqual({ id: 1 })
    expect(sent.method).toBe('GET')
    expect(Object.fromEntries(sent.headers)).toEqual({
      accept: 'application/json',
      authorization: 'Bearer token of Ada',
    })
  })

  test('T-AUD-1: fails without the token in the message if no header can hold it', async () => {
    const hostile = { access_token: 'CANARY\nCANARY' }
    const asked = fetchUserInfo({ url }, hostile, async () => Response.json({ id: 1 }))
    const failure = (await asked.catch((error: unknown) => error)) as Error
    expect(failure.message).toContain('the access token has characters')
    expect(failure.stack).not.toContain('CANARY')
  })

  test('has parameters and headers of its own, but no empty header', async () => {
    const { sent } = await ask({
      params: { v: 2, token: '{tokens.access_token}', none: undefined },
      headers: { authorization: '', 'x-id': '{tokens.uid}' },
    })
    expect(sent.url).toBe(`${url}?v=2&token=token+of+Ada`)
    expect(sent.headers.has('authorization')).toBe(false)
    expect(sent.headers.get('x-id')).toBe('7')
  })

  test('keeps a token in the path within its segment', async () => {
    const { sent } = await ask({ url: 'https://acme.example/users/{tokens.user_id}/x' })
    expect(sent.url).toBe('https://acme.example/users/a%2Fda/x')
  })

  test('with a body sends JSON', async () => {
    const { sent } = await ask({ method: 'POST', body: { query: '{ viewer }' } })
    expect(sent.headers.get('content-type')).toBe('application/json')
    expect(await sent.json()).toEqual({ query: '{ viewer }' })
  })

  test('by POST without a body has no content type', async () => {
    const { sent } = await ask({ method: 'POST' })
    expect([sent.method, sent.headers.get('content-type')]).toEqual(['POST', null])
  })

  test('is not sent if the token response lacks a value for it', async () => {
    await expect(ask({ url: `${url}/{tokens.openid}` })).rejects.toThrow('no openid')
  })
})

describe('a userinfo response', () => {
  test('is unwrapped by names and indexes', async () => {
    const answer = (): Response => Response.json({ response: [{ id: 1 }, { id: 2 }] })
    expect((await ask({ unwrap: 'response.1' }, answer)).profile).toEqual({ id: 2 })
    await expect(ask({ unwrap: 'response.2' }, answer)).rejects.toThrow(
      'did not return a JSON object',
    )
    await expect(ask({ unwrap: 'data.user' }, answer)).rejects.toThrow(
      'did not return a JSON object',
    )
  })

  test.for([
    ['an error', () => Response.json({ id: 1 }, { status: 401 })],
    ['a list', () => Response.json([{ id: 1 }])],
    ['null', () => Response.json(null)],
    ['a page', () => new Response('<html>')],
  ] as const)('is refused when it is %s', async ([, answer]) => {
    await expect(ask({}, answer)).rejects.toThrow()
  })
})
