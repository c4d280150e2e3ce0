import type { AccountPage } from '../../plugins/account/client.ts'

/** The part of a client that is used here. `createAuthClient` of `latchkey/client` creates such a client. */
export interface DataClient extends AccountPage {
  readonly store: AccountPage['store'] & {
    /** `user` is `null` or missing without a session. */
    readonly state: { readonly data?: { readonly user?: object | null } | null | undefined }
    subscribe(listener: () => void): () => void
  }
}

/** Data of the service. It is the same object as long as nothing changes. */
export interface ResourceState<Data> {
  /** `undefined` until the first response, and after the session ended or another one began. */
  readonly data: Data | undefined
  /** The error of the last request. Earlier data stays. */
  readonly error: Error | undefined
  readonly isLoading: boolean
}

/** Data of the service that components share. */
export interface Resource<Data, Actions> {
  /** The data, and the functions that change it. Each function throws what the client throws. */
  readonly state: ResourceState<Data> & Actions & { refetch(): Promise<void> }
  /** Calls `listener` after each change. The data is requested with the first listener. */
  subscribe(listener: () => void): () => void
}

const NOTHING = { data: undefined, error: undefined, isLoading: false } as const

type CreateResource = <Data, Actions extends object>(
  load: () => Promise<Data>,
  actions: Actions,
) => Resource<Data, Actions>

type Action = (...args: never[]) => Promise<unknown>

/** Returns a function that creates the resources of a client, which are requested again after each change of one. */
export function createResource(client: DataClient): CreateResource {
  /** The function of each resource that has listeners. */
  const shown = new Set<() => Promise<void>>()
  const changed = async (): Promise<void> => {
    await Promise.all([...shown].map((refetch) => refetch()))
  }

  return <Data, Actions extends object>(
    load: () => Promise<Data>,
    actions: Actions,
  ): Resource<Data, Actions> => {
    const listeners = new Set<() => void>()
    /** Incremented with each request, to ignore late responses to earlier ones. */
    let version = 0
    let user = userOf(client)
    let stop: (() => void) | undefined

    const refetch = async (): Promise<void> => {
      const mine = ++version
      if (userOf(client) === null) return publish(NOTHING)
      publish({ isLoading: true })
      const outcome = await load().then(
        (data) => ({ data, error: undefined }),
        (error: Error) => ({ error }),
      )
      if (mine === version) publish({ ...outcome, isLoading: false })
    }
    /** Drops what belongs to an earlier user. */
    const look = (): void => {
      const before = user
      const now = userOf(client)
      if (now === undefined || now === before) return
      user = now
      // The request that is in progress began with the session that is known now.
      if (before === undefined && now !== null) return
      publish(NOTHING)
      void refetch()
    }
    const acting = (action: Action): Action => {
      return async (...args) => {
        const result = await action(...args)
        await changed()
        return result
      }
    }

    const changes = Object.entries(actions).map(([name, action]) => [name, acting(action)])
    let state: Resource<Data, Actions>['state'] = {
      ...(Object.fromEntries(changes) as Actions),
      data: undefined,
      error: undefined,
      isLoading: true,
      refetch,
    }
    const publish = (change: Partial<ResourceState<Data>>): void => {
      state = { ...state, ...change }
      for (const listener of listeners) listener()
    }

    return {
      get state() {
        return state
      },
      subscribe(listener) {
        listeners.add(listener)
        // On a server there is nobody to ask for.
        if (listeners.size === 1 && typeof document === 'object') {
          shown.add(refetch)
          stop = client.store.subscribe(look)
          look()
          void refetch()
        }
        return () => {
          listeners.delete(listener)
          if (listeners.size > 0) return
          shown.delete(refetch)
          stop?.()
          stop = undefined
        }
      },
    }
  }
}

/** Returns what tells users apart; `null` without a session, `undefined` while nothing is known. */
function userOf({ store }: DataClient): string | null | undefined {
  const { data } = store.state
  if (!data) return data
  const { id, email, name } = { ...data.user } as Record<string, unknown>
  return JSON.stringify(id ?? email ?? name)
}
