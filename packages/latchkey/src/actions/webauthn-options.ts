import { type JsonOutcome, json } from '../outcome.ts'
import type { ReadAction } from './action.ts'

/** `GET webauthn-options`: asked of a provider that has none. */
export const webauthnOptions: ReadAction = async (): Promise<JsonOutcome> => ({
  ...json({ error: 'There is no passkey provider with this id' }),
  status: 400,
})
