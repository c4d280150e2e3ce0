import { onScopeDispose, type ShallowRef, shallowRef } from 'vue'
import { type AccountData, accountData, type DataClient } from './index.ts'

export type { AccountData, DataClient } from './index.ts'

/** A composable: a ref of what a component shows of the data, until it is unmounted, and the functions that change it. */
export type Composable<Name extends keyof AccountData> = (
  client: DataClient,
) => Readonly<ShallowRef<AccountData[Name]['state']>>

function refFor<Name extends keyof AccountData>(name: Name): Composable<Name> {
  return (client) => {
    const resource: AccountData[Name] = accountData(client)[name]
    const state = shallowRef<AccountData[Name]['state']>(resource.state)
    onScopeDispose(
      resource.subscribe(() => {
        state.value = resource.state
      }),
    )
    return state
  }
}

/** Returns the user, and how the account is protected. */
export const useAccount: Composable<'account'> = refFor('account')
/** Returns the passkeys of the user. */
export const usePasskeys: Composable<'passkeys'> = refFor('passkeys')
/** Returns the linked accounts of providers, and those that can be linked. */
export const useConnections: Composable<'connections'> = refFor('connections')
/** Returns the sessions of the user, that of this browser first. */
export const useSessions: Composable<'sessions'> = refFor('sessions')
/** Returns the second factors of the user. */
export const useTwoFactor: Composable<'twoFactor'> = refFor('twoFactor')
