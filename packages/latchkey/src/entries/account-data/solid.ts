import { type Accessor, createSignal, onCleanup } from 'solid-js'
import { type AccountData, accountData, type DataClient } from './index.ts'

export type { AccountData, DataClient } from './index.ts'

/** A function that returns a signal of what a component shows of the data, until its owner is disposed, and the functions that change it. */
export type Primitive<Name extends keyof AccountData> = (
  client: DataClient,
) => Accessor<AccountData[Name]['state']>

function signalFor<Name extends keyof AccountData>(name: Name): Primitive<Name> {
  return (client) => {
    const resource: AccountData[Name] = accountData(client)[name]
    const [state, setState] = createSignal<AccountData[Name]['state']>(resource.state)
    onCleanup(resource.subscribe(() => setState(() => resource.state)))
    return state
  }
}

/** Returns the user, and how the account is protected. */
export const useAccount: Primitive<'account'> = signalFor('account')
/** Returns the passkeys of the user. */
export const usePasskeys: Primitive<'passkeys'> = signalFor('passkeys')
/** Returns the linked accounts of providers, and those that can be linked. */
export const useConnections: Primitive<'connections'> = signalFor('connections')
/** Returns the sessions of the user, that of this browser first. */
export const useSessions: Primitive<'sessions'> = signalFor('sessions')
/** Returns the second factors of the user. */
export const useTwoFactor: Primitive<'twoFactor'> = signalFor('twoFactor')
