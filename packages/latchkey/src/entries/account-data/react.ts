'use client'

import { useSyncExternalStore } from 'react'
import { type AccountData, accountData, type DataClient } from './index.ts'

export type { AccountData, DataClient } from './index.ts'

/** A hook: what a component shows of the data, and the functions that change it. */
export type Hook<Name extends keyof AccountData> = (
  client: DataClient,
) => AccountData[Name]['state']

function hookFor<Name extends keyof AccountData>(name: Name): Hook<Name> {
  return (client) => {
    const resource: AccountData[Name] = accountData(client)[name]
    const state = (): AccountData[Name]['state'] => resource.state
    return useSyncExternalStore(resource.subscribe, state, state)
  }
}

/** Returns the user, and how the account is protected. */
export const useAccount: Hook<'account'> = hookFor('account')
/** Returns the passkeys of the user. */
export const usePasskeys: Hook<'passkeys'> = hookFor('passkeys')
/** Returns the linked accounts of providers, and those that can be linked. */
export const useConnections: Hook<'connections'> = hookFor('connections')
/** Returns the sessions of the user, that of this browser first. */
export const useSessions: Hook<'sessions'> = hookFor('sessions')
/** Returns the second factors of the user. */
export const useTwoFactor: Hook<'twoFactor'> = hookFor('twoFactor')
