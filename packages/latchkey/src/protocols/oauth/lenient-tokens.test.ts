import { describe, expect, test } from 'vitest'
import { readLeniently } from './lenient-tokens.ts'

async function read(body: unknown, init?: ResponseInit): Promise<[number, unknown, Headers]> {
  const response = await readLeniently(Response.json(body, init))
  return [response.status, await response.json(), response.headers]
}

describe('a token response that does not follow RFC 6749 section 5.1', () => {
  test('may have a list of scopes, which becomes text, and loses other types', async () => {
    const [, listed] = await read({ access_token: 'a', token_type: 'bearer', scope: ['x', 'y'] })
    expect(listed).toEqual({ access_token: 'a', token_type: 'bearer', scope: 'x y' })
    const [, odd] = await read({ access_token: 'a', token_type: 'bearer', scope: { x: 1 } })
    expect(odd).toEqual({ access_token: 'a', token_type: 'bearer' })
  })

  test('is of the type bearer if it names none', async () => {
    expect((await read({ access_token: 'a' }))[1]).toEqual({
      access_token: 'a',
      token_type: 'bearer',
    })
    expect((await read({ access_token: 'a', token_type: 'DPoP' }))[1]).toHaveProperty(
      'token_type',
      'DPoP',
    )
  })

  test('loses a challenge beside tokens', async () => {
    const [status, , headers] = await read(
      { access_token: 'a' },
      { headers: { 'www-authenticate': 'Basic realm="x"' } },
    )
    expect([status, headers.get('www-authenticate')]).toEqual([200, null])
  })

  test('gets a code for an error without one, and stays an error', async () => {
    const [status, body] = await read({ status: 400, message: 'Invalid code' }, { status: 400 })
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: 'invalid_request', error_description: 'Invalid code' })
  })

  test('keeps an error code of its own', async () => {
    const [, body] = await read({ error: 'invalid_grant' }, { status: 400 })
    expect(body).toHaveProperty('error', 'invalid_grant')
  })

  test('is left as it is if it is not a JSON object', async () => {
    const response = new Response('access_token=a')
    expect(await readLeniently(response)).toBe(response)
  })
})
