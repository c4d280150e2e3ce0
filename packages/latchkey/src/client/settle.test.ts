import { expect, expectTypeOf, test } from 'vitest'
import { type PasswordsErrorCode, passwordsClient } from '../plugins/passwords/client.ts'
import { ClientError, type Refusal, settle } from './requests.ts'

const store = { changed: async () => {} }

test('an answer is the data', async () => {
  const { signIn } = passwordsClient({
    store,
    ask: async () => ({ status: 'signed_in', url: '/' }),
  })
  const { data, error } = await settle(signIn({ identifier: 'ada', password: 'x' }))
  expect(data).toEqual({ status: 'signed_in', url: '/' })
  expect(error).toBeUndefined()
})

test('the code of a refusal has the type of the codes of the function, and fields their errors', async () => {
  const refusal = new ClientError('Wrong password.', 422, {
    code: 'password_refused',
    errors: [{ field: 'password', code: 'too_short' }],
  })
  const { signUp } = passwordsClient({ store, ask: () => Promise.reject(refusal) })
  const settled = await settle(signUp({ email: 'ada@example.org', password: 'x' }))
  expect(settled.data).toBeUndefined()
  expect(settled.error).toMatchObject({
    message: 'Wrong password.',
    status: 422,
    code: 'password_refused',
    errors: [{ field: 'password', code: 'too_short' }],
  })
  type Code = PasswordsErrorCode | 'unreachable'
  expectTypeOf(settled.error).toEqualTypeOf<Refusal<Code> | undefined>()
  if (settled.error) expectTypeOf(settled.error.code).toEqualTypeOf<Code>()
  // @ts-expect-error the functions of passwords have no such code
  expect(settled.error?.code === 'undo_open').toBe(false)
})

test('without a connection the code is `unreachable`', async () => {
  const offline = new ClientError('the service cannot be reached at /auth')
  const { rules } = passwordsClient({ store, ask: () => Promise.reject(offline) })
  const { error } = await settle(rules())
  expect(error?.code).toBe('unreachable')
  expect(error).toBe(offline)
})

test('an error that is no refusal is thrown', async () => {
  const declined = new DOMException('The operation was declined.', 'NotAllowedError')
  await expect(settle(Promise.reject(declined))).rejects.toBe(declined)
})
