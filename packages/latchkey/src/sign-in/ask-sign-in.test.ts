import { describe, expect, test, vi } from 'vitest'
import { AccessDenied, AdapterError } from '../base/errors.ts'
import type { SignInParams } from '../options/callbacks.ts'
import { askSignIn, isRefusal } from './ask-sign-in.ts'

const params = {} as SignInParams

function ask(signIn: (params: SignInParams) => unknown): Promise<string | undefined> {
  return askSignIn(params, { signIn: signIn as () => boolean })
}

describe('T-FLOW-2: the permission to sign in', () => {
  test('is the result of the `signIn` callback, which receives the user', async () => {
    expect(await ask((given) => given === params)).toBeUndefined()
    await expect(ask((given) => given !== params)).rejects.toThrow(AccessDenied)
  })

  test('may be a redirect', async () => {
    expect(await ask(() => '/denied')).toBe('/denied')
  })

  for (const [what, answer] of Object.entries({
    false: false,
    nothing: undefined,
    'the empty text': '',
    'an error': new Error('no'),
    'an error of ours': new AccessDenied('no'),
    'an answer': new Response(null, { status: 403 }),
    'an answer that redirects': Response.redirect('https://app.example/denied'),
    'an address that is no text': new URL('https://app.example/denied'),
  })) {
    test(`is refused if the callback returns ${what}`, async () => {
      await expect(ask(() => answer)).rejects.toThrow(AccessDenied)
      await expect(ask(async () => answer)).rejects.toThrow(AccessDenied)
    })
  }

  test('is refused if the callback fails, and the reason is kept', async () => {
    const why = new Error('broken')
    const denied = ask(() => {
      throw why
    })
    await expect(denied).rejects.toThrow(AccessDenied)
    await expect(denied).rejects.toMatchObject({ cause: { err: why } })
    const text = ask(() => {
      throw 'broken text'
    })
    await expect(text).rejects.toThrow(AccessDenied)
    await expect(text).rejects.toThrow('broken text')
    const object = ask(() => {
      throw { message: 'broken object' }
    })
    await expect(object).rejects.toThrow('broken object')
  })

  test('passes an error of the library on unchanged', async () => {
    const error = new AdapterError(new Error('down'), { method: 'getUser' })
    await expect(
      ask(() => {
        throw error
      }),
    ).rejects.toBe(error)
  })
})

test('T-FLOW-3: a `Response` of the server is a refusal, even if the global `Response` was replaced', () => {
  const answer = Response.error()
  vi.stubGlobal(
    'Response',
    class Response {
      readonly ok = true
    },
  )
  try {
    expect(isRefusal(answer)).toBe(true)
  } finally {
    vi.unstubAllGlobals()
  }
  expect(isRefusal({ id: 'u1' })).toBe(false)
})
