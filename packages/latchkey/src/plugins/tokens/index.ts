/**
 * Tokens for APIs and programs, in addition to the cookie of a browser.
 *
 * @module
 */

import {
  AuthError,
  type Budget,
  type Carrier,
  type CurrentSession,
  definePlugin,
  type Host,
  loadOnce,
  type PluginMethods,
  type PluginNeed,
  type PluginOption,
  type PluginParts,
  Problem,
  type ProblemTable,
  refusedForms,
  type SessionHolder,
  userIdOf,
  withCheckedArguments,
} from '../../entries/plugin.ts'
import { keyCarrier } from './api-keys/carrier.ts'
import type { ApiKeysSettings } from './api-keys/settings.ts'
import { carrierWithoutStore } from './bearer/carried.ts'
import { bearerCarrier } from './bearer/carrier.ts'
import { PREFIX } from './bearer/prefix.ts'
import { DEFAULT_SESSION_AGE } from './device/settings.ts'
import type { KeyMemory } from './jwt/record-keys.ts'
import { KEYS_PAGE, type Own } from './own.ts'
import { type Settings, settingsOf, type TokensOptions } from './settings.ts'
import { texts } from './texts.ts'
import type { TokensApi } from './tokens-api.ts'

export type { ApiKey } from './api-keys/key-record.ts'
export type { KeyNeeds, KeyVerdict, MadeKey } from './api-keys/keys.ts'
export type { NewKey } from './api-keys/new-key.ts'
export type { ApiKeysOptions, KeyRate } from './api-keys/settings.ts'
export type { DeviceClient, DeviceOptions } from './device/settings.ts'
export type { IssuedToken } from './jwt/issuer.ts'
export type { AudienceOptions, JwtOptions, TokenRequest } from './jwt/settings.ts'
export type { NativeClient, NativeOptions } from './native/settings.ts'
export type { TokensOptions } from './settings.ts'
export type { TokensApi } from './tokens-api.ts'

/**
 * Issues tokens that are not cookies. The options determine the kinds: `jwt` for signed tokens that APIs verify
 * themselves, `apiKeys` for keys that users create for their programs, `device` for sign-ins of programs without a
 * browser, `native` for sign-ins of apps.
 *
 * @throws {TypeError} for an invalid option.
 */
export function tokens(options: TokensOptions): PluginOption<'tokens', TokensApi> {
  const settings = settingsOf(options)
  return definePlugin<'tokens', TokensApi, Own>({
    name: 'tokens',
    needs: needsOf(settings),
    texts,
    refusedForms,
    problems,
    mails: ['api-key-created'],
    ...(settings.jwt && { sealed: [{ kind: 'signing-key', member: 'sealed' }] }),
    routes: routesOf(settings),
    ...(settings.apiKeys && {
      provides: ['apiKeys'],
      accountSections: [
        {
          path: KEYS_PAGE,
          label: 'tokens:keys',
          about: 'tokens:keys.about',
          icon: 'key',
          order: 46,
        },
      ],
    }),
    // The same as the part `session`: sessions have a public id.
    atEdge: () => ({
      isWhole: true,
      claims: [],
      carriers: prefixesOf(settings).map(carrierWithoutStore),
    }),
    setUp(host) {
      const own = ownOf(host, settings)
      return {
        own,
        api: withCheckedArguments('tokens', apiOf(own), loadArguments),
        // Without hooks, a sealed session has no public id and no time of the user's last proof of identity.
        session: {},
        freshAge: leastFreshAge(settings),
        ...(settings.apiKeys && {
          provides: {
            apiKeys: {
              async end(userId, id) {
                await (await own.apiKeys()).keys.end(userId, id)
              },
              endAdded: async (...added) => (await own.apiKeys()).keys.endAdded(...added),
            },
          },
        }),
        ...carriedBy(own, settings),
        // Without records there is nothing to clean up, and no lease for it.
        ...(host.hasRecords && {
          async maintain(budget: Budget) {
            if (settings.jwt) await (await own.jwt()).ring.cleanUp()
            if (settings.apiKeys) await (await own.apiKeys()).keys.maintain(budget)
          },
        }),
      }
    },
  })
}

/**
 * Returns the shortest time that a page requires. If the provider's proof is older, the page would redirect to the
 * provider again and again.
 */
function leastFreshAge({ device, native, apiKeys }: Settings): number {
  return Math.min(...[device, native, apiKeys].map((each) => each?.freshAge ?? Infinity))
}

/** Returns the prefixes of the tokens that requests may have in a header. */
function prefixesOf({ device, native, apiKeys }: Settings): readonly string[] {
  return [
    ...(apiKeys?.actsAsSession ? [`${apiKeys.prefix}_`] : []),
    ...(device || native ? [PREFIX] : []),
  ]
}

/** Returns the carriers of programs' sessions, and the listener for the end of a session. */
function carriedBy(own: Own, { device, native, apiKeys, bearerOrigins: origins }: Settings) {
  const { host, bearers } = own
  const holdsSessions = device !== undefined || native !== undefined
  if (!holdsSessions && !apiKeys?.actsAsSession) return {}
  const keys = async () => (await own.apiKeys()).keys
  return {
    carriers: [
      ...(apiKeys?.actsAsSession
        ? [keyCarrier({ host, prefix: apiKeys.prefix, keys, origins })]
        : []),
      ...(holdsSessions ? [bearerCarrier({ store: bearers, origins, logger: host.logger })] : []),
    ] as readonly Carrier[],
    ...(holdsSessions && {
      listen: {
        // Ends the session of the program immediately, even if a sealed session still counts as valid elsewhere.
        sessionEnded: async ({ sid }) => (await bearers()).forget(sid),
      },
    }),
  } satisfies Pick<PluginParts, 'carriers' | 'listen'>
}

function needsOf({ jwt, apiKeys, device, native }: Settings): readonly PluginNeed[] {
  if (apiKeys || device || native) return ['adapter', 'records', 'attempts', 'plugin:sessions']
  const needs: PluginNeed[] = []
  if (jwt?.keys === 'records') needs.push('records')
  if ([...(jwt?.audiences.values() ?? [])].some(({ sensitive }) => sensitive))
    needs.push('plugin:sessions')
  return needs
}

const problems: ProblemTable = {
  invalid_target: { status: 400, text: 'tokens:invalid_target' },
  invalid_scope: { status: 400, text: 'tokens:invalid_scope' },
  invalid_token: { status: 401, text: 'tokens:invalid_token' },
  invalid_client: { status: 400, text: 'tokens:invalid_client' },
  invalid_grant: { status: 400, text: 'tokens:invalid_grant' },
  scope_not_allowed: { status: 400, text: 'tokens:scope_not_allowed' },
  limit_reached: { status: 409, text: 'tokens:limit_reached' },
  reauthentication_required: { status: 403, text: 'tokens:reauthentication_required' },
}

function routesOf({ jwt, apiKeys, device, native }: Settings): Routes {
  return {
    ...(jwt && jwtRoutes),
    ...(apiKeys && keyRoutes(apiKeys)),
    ...(device && deviceRoutes),
    ...(native && nativeRoutes),
  }
}

type Routes = Readonly<Record<string, PluginMethods<Own>>>

const token = {
  who: 'anyone',
  callers: 'scripts',
  input: async () => (await import('./routes/token.ts')).input,
  run: async () => (await import('./routes/token.ts')).token,
} as const

const jwtRoutes: Routes = {
  token: { GET: token, POST: token },
  'token/check': {
    GET: {
      who: 'anyone',
      callers: 'scripts',
      input: async () => (await import('./routes/check.ts')).input,
      run: async () => (await import('./routes/check.ts')).check,
    },
  },
  jwks: {
    GET: {
      who: 'anyone',
      callers: 'servers',
      run: async () => (await import('./routes/jwks.ts')).jwks,
    },
  },
}

/** Returns the routes for API keys. The fields of the form depend on the configured scopes. */
const keyRoutes = (settings: ApiKeysSettings): Routes => ({
  [KEYS_PAGE]: {
    GET: {
      who: 'user',
      input: async () => (await import('./routes/keys-page.ts')).input,
      run: async () => (await import('./routes/keys-page.ts')).page,
    },
  },
  'api-keys/list': {
    GET: { who: 'user', run: async () => (await import('./routes/keys.ts')).list },
  },
  'api-keys/create': {
    POST: {
      who: 'user',
      page: KEYS_PAGE,
      proved: true,
      input: async () => (await import('./routes/keys.ts')).inputOfNew(settings),
      run: async () => (await import('./routes/keys.ts')).create,
    },
  },
  'api-keys/end': {
    POST: {
      who: 'user',
      page: KEYS_PAGE,
      input: async () => (await import('./routes/keys.ts')).inputOfOne,
      run: async () => (await import('./routes/keys.ts')).end,
    },
  },
  'api-keys/replace': {
    POST: {
      who: 'user',
      page: KEYS_PAGE,
      input: async () => (await import('./routes/keys.ts')).inputOfOne,
      run: async () => (await import('./routes/keys.ts')).replace,
    },
  },
})

const deviceRoutes: Routes = {
  device: {
    GET: {
      who: 'user',
      input: async () => (await import('./routes/device-people.ts')).inputOfPage,
      run: async () => (await import('./routes/device-people.ts')).page,
    },
  },
  'device/enter': {
    POST: {
      who: 'user',
      page: 'device',
      input: async () => (await import('./routes/device-people.ts')).inputOfCode,
      run: async () => (await import('./routes/device-people.ts')).enter,
    },
  },
  'device/decide': {
    GET: {
      who: 'user',
      run: async () => (await import('./routes/device-people.ts')).question,
    },
    POST: {
      who: 'user',
      input: async () => (await import('./routes/device-people.ts')).inputOfDecision,
      run: async () => (await import('./routes/device-people.ts')).decide,
    },
  },
  'device/code': {
    POST: {
      who: 'anyone',
      callers: 'servers',
      input: async () => (await import('./routes/device-programs.ts')).input,
      run: async () => (await import('./routes/device-programs.ts')).code,
    },
  },
  'device/token': {
    POST: {
      who: 'anyone',
      callers: 'servers',
      input: async () => (await import('./routes/device-programs.ts')).input,
      run: async () => (await import('./routes/device-programs.ts')).token,
    },
  },
}

const nativeRoutes: Routes = {
  'native/start': {
    GET: {
      who: 'anyone',
      input: async () => (await import('./routes/native-people.ts')).inputOfStart,
      run: async () => (await import('./routes/native-people.ts')).start,
    },
  },
  'native/approve': {
    GET: {
      who: 'user',
      input: async () => (await import('./routes/native-people.ts')).inputOfQuestion,
      run: async () => (await import('./routes/native-people.ts')).question,
    },
    POST: {
      who: 'user',
      input: async () => (await import('./routes/native-people.ts')).inputOfDecision,
      run: async () => (await import('./routes/native-people.ts')).decide,
    },
  },
  'native/token': {
    POST: {
      who: 'anyone',
      callers: 'servers',
      input: async () => (await import('./routes/native-programs.ts')).input,
      run: async () => (await import('./routes/native-programs.ts')).token,
    },
  },
  'native/renew': {
    POST: {
      who: 'user',
      callers: 'scripts',
      run: async () => (await import('./routes/native-programs.ts')).renew,
    },
  },
  'native/end': {
    POST: {
      who: 'user',
      callers: 'scripts',
      run: async () => (await import('./routes/native-programs.ts')).end,
    },
  },
}

function ownOf(host: Host, { jwt, apiKeys, device, native }: Settings): Own {
  const memory = host.shared<KeyMemory>(() => ({
    opened: new Map(),
    reported: new Set(),
    rotations: 0,
  }))
  const load = loadOnce(async () => {
    if (!jwt) throw new AuthError('tokens() does not issue signed tokens; set `jwt` in its options')
    const { createJwt } = await import('./jwt/load.ts')
    return createJwt(host, jwt, memory)
  })
  const loadKeys = loadOnce(async () => {
    if (!apiKeys) throw new AuthError('tokens() has no API keys; set `apiKeys` in its options')
    const { createApiKeys } = await import('./api-keys/keys.ts')
    return { keys: createApiKeys(host, apiKeys), settings: apiKeys }
  })
  const maxAges: Readonly<Record<SessionHolder['via'], number>> = {
    device: device?.sessionMaxAge ?? DEFAULT_SESSION_AGE,
    native: native?.maxAge ?? DEFAULT_SESSION_AGE,
  }
  const bearers = loadOnce(async () =>
    (await import('./bearer/store.ts')).createBearerStore(host, maxAges),
  )
  const loadDevice = loadOnce(async () => {
    if (!device)
      throw new AuthError('tokens() does not sign devices in; set `device` in its options')
    const { createDeviceFlow } = await import('./device/flow.ts')
    return { flow: createDeviceFlow(host, device), settings: device }
  })
  const loadNative = loadOnce(async () => {
    if (!native) throw new AuthError('tokens() does not sign apps in; set `native` in its options')
    const { createNativeCodes } = await import('./native/codes.ts')
    return { codes: createNativeCodes(host, native), settings: native }
  })
  return { host, jwt: load, apiKeys: loadKeys, bearers, device: loadDevice, native: loadNative }
}

async function loadArguments() {
  return (await import('./api-arguments.ts')).tokensArguments
}

function apiOf({ host, jwt, apiKeys }: Own): TokensApi {
  const currentOf = async (request: Request): Promise<CurrentSession & { userId: string }> => {
    const current = await host.sessions.current(request)
    const userId = current?.facts.userId
    if (current && userId !== undefined) return { ...current, userId }
    throw new Problem('unauthenticated', 'nobody is signed in')
  }
  const userOf = async (who: Request | { userId: string }): Promise<string> =>
    who instanceof Request ? (await currentOf(who)).userId : userIdOf(who)
  /** A program must not create a key, which would stay valid after the program's session. */
  const personOf = async (who: Request | { userId: string }): Promise<string> => {
    if (!(who instanceof Request)) return userIdOf(who)
    const { holder, userId } = await currentOf(who)
    if (holder === undefined) return userId
    throw new Problem('forbidden', 'the session of an app or a device makes no API keys')
  }
  return {
    async issue(request, wanted = {}) {
      const { issuer } = await jwt()
      return issuer.issue(request, await host.sessions.current(request), wanted)
    },
    async rotate({ compromised = false } = {}) {
      await (await jwt()).ring.rotate({ compromised })
    },
    createKey: async (who, key) => (await apiKeys()).keys.create(await personOf(who), key),
    listKeys: async (who) => (await apiKeys()).keys.list(await userOf(who)),
    endKey: async (who, id) => (await apiKeys()).keys.end(await userOf(who), id),
    async replaceKey(who, id, { overlap = 0 } = {}) {
      const made = await (await apiKeys()).keys.replace(await personOf(who), id, overlap)
      if (!made) throw new Problem('not_found', 'the user has no such key')
      return made
    },
    verifyKey: async (...asked) => (await apiKeys()).keys.verify(...asked),
  }
}
