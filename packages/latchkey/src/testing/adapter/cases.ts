import type { Adapter, AdapterMethod, AtomicAbilities, atomic } from '../../model/adapter.ts'

/** One rule that every adapter keeps. */
export interface AdapterCase {
  readonly name: string
  /** Which requirements on adapters it checks; docs/reference/adapters.md says what they are. */
  readonly requirements?: readonly string[]
  /** What the adapter must have for the rule to mean anything. */
  readonly needs: readonly (AdapterMethod | keyof AtomicAbilities)[]
  /** Fails by throwing. */
  readonly run: (adapter: CompleteAdapter) => Promise<void>
}

/** An adapter as the cases use it: `needs` says which methods are really there. */
export type CompleteAdapter = Required<Omit<Adapter, typeof atomic>> & {
  [atomic]: Required<AtomicAbilities>
  /** The same store through another client, or this one where there is no other. */
  again(): Promise<CompleteAdapter>
}

/** An adapter on an empty store. */
export type OpenedAdapter = Adapter & {
  /** Another adapter on the same store, through a client of its own. */
  again?(): Promise<Adapter>
  /** Gives the store back. */
  [Symbol.asyncDispose]?(): PromiseLike<void>
}

export const USER_METHODS = ['createUser', 'getUser', 'getUserByEmail', 'updateUser'] as const
export const ACCOUNT_METHODS = ['createUser', 'linkAccount', 'getUserByAccount'] as const
export const SESSION_METHODS = [
  'createUser',
  'createSession',
  'getSessionAndUser',
  'updateSession',
  'deleteSession',
] as const
export const TOKEN_METHODS = ['createVerificationToken', 'useVerificationToken'] as const
export const AUTHENTICATOR_METHODS = [
  'createUser',
  'createAuthenticator',
  'getAuthenticator',
  'listAuthenticatorsByUserId',
  'updateAuthenticatorCounter',
] as const
export const RECORD_ABILITIES = [
  'createRecord',
  'getRecord',
  'replaceRecord',
  'takeRecord',
  'listRecords',
] as const
