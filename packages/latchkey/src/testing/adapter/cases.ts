import type { Adapter, AdapterMethod, AtomicAbilities, atomic } from '../../model/adapter.ts'

/** A rule of the contract of adapters. */
export interface AdapterCase {
  readonly name: string
  /** The ids of the requirements that it checks; see docs/reference/adapters.md. */
  readonly requirements?: readonly string[]
  /** The methods without which the rule has no meaning. */
  readonly needs: readonly (AdapterMethod | keyof AtomicAbilities)[]
  /** Fails by throwing. */
  readonly run: (adapter: CompleteAdapter) => Promise<void>
}

/** An adapter as the cases use it. Only the methods in `needs` exist. */
export type CompleteAdapter = Required<Omit<Adapter, typeof atomic>> & {
  [atomic]: Required<AtomicAbilities>
  /** Returns the same store through another client, or this adapter if there is no other client. */
  again(): Promise<CompleteAdapter>
}

/** An adapter on an empty store. */
export type OpenedAdapter = Adapter & {
  /** Returns another adapter for the same store, with its own client. */
  again?(): Promise<Adapter>
  /** Releases the store. */
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
