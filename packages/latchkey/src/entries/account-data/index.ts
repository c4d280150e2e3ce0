/**
 * The account of the visitor as data for components of the application: profile, passkeys, connections, sessions and
 * second factors.
 *
 * @module
 */
import { oncePer } from '../../base/once.ts'
import {
  type AccountClient,
  type AccountInfo,
  type AccountPasskey,
  accountClient,
} from '../../plugins/account/client.ts'
import {
  type SessionInfo,
  type SessionsClient,
  sessionsClient,
} from '../../plugins/sessions/client.ts'
import {
  type TwoFactorClient,
  type TwoFactorStatus,
  twoFactorClient,
} from '../../plugins/two-factor/client.ts'
import { createResource, type DataClient, type Resource } from './resource.ts'

export type { DataClient, Resource, ResourceState } from './resource.ts'

type Connections = Awaited<ReturnType<AccountClient['connections']['list']>>

/** The data of the account, with the functions that change it. After each function, all data that is shown is requested again. */
export interface AccountData {
  readonly account: Resource<
    AccountInfo,
    Pick<AccountClient, 'update' | 'changeAddress' | 'confirmAddress' | 'delete' | 'keep'>
  >
  readonly passkeys: Resource<
    readonly AccountPasskey[],
    Pick<AccountClient['passkeys'], 'add' | 'rename' | 'remove'>
  >
  readonly connections: Resource<Connections, Pick<AccountClient['connections'], 'link' | 'unlink'>>
  readonly sessions: Resource<
    readonly SessionInfo[],
    Pick<SessionsClient, 'end' | 'endOthers' | 'rename'>
  >
  readonly twoFactor: Resource<TwoFactorStatus, Omit<TwoFactorClient, 'status' | 'verify'>>
}

/** Returns the data of the account: the same object for the same client, so that components share what was requested. */
export const accountData: (client: DataClient) => AccountData = oncePer(
  createAccountData,
  new WeakMap<DataClient, AccountData>(),
)

function createAccountData(client: DataClient): AccountData {
  const resource = createResource(client)
  const { me, passkeys, connections, export: _export, ...account } = accountClient(client)
  const { list: listPasskeys, ...changePasskeys } = passkeys
  const { list: listConnections, ...changeConnections } = connections
  const { list: listSessions, end, endOthers, rename } = sessionsClient(client)
  const { status, verify: _, ...changeFactors } = twoFactorClient(client)
  return {
    account: resource(me, account),
    passkeys: resource(listPasskeys, changePasskeys),
    connections: resource(listConnections, changeConnections),
    sessions: resource(listSessions, { end, endOthers, rename }),
    twoFactor: resource(status, changeFactors),
  }
}
