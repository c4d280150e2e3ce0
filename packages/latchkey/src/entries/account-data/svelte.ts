import { type Readable, readable } from 'svelte/store'
import { type AccountData, accountData, type DataClient } from './index.ts'

export type { AccountData, DataClient } from './index.ts'

/** A function that returns a store of what a component shows of the data, and the functions that change it: `$passkeys.data`. */
export type DataStore<Name extends keyof AccountData> = (
  client: DataClient,
) => Readable<AccountData[Name]['state']>

function storeFor<Name extends keyof AccountData>(name: Name): DataStore<Name> {
  return (client) => {
    const resource: AccountData[Name] = accountData(client)[name]
    return readable<AccountData[Name]['state']>(resource.state, (set) => {
      const stop = resource.subscribe(() => set(resource.state))
      set(resource.state)
      return stop
    })
  }
}

/** Returns the user, and how the account is protected. */
export const useAccount: DataStore<'account'> = storeFor('account')
/** Returns the passkeys of the user. */
export const usePasskeys: DataStore<'passkeys'> = storeFor('passkeys')
/** Returns the linked accounts of providers, and those that can be linked. */
export const useConnections: DataStore<'connections'> = storeFor('connections')
/** Returns the sessions of the user, that of this browser first. */
export const useSessions: DataStore<'sessions'> = storeFor('sessions')
/** Returns the second factors of the user. */
export const useTwoFactor: DataStore<'twoFactor'> = storeFor('twoFactor')
