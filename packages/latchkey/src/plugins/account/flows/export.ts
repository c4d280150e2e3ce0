import {
  type AdapterUser,
  encodeUtf8,
  type HeldFactors,
  type JsonObject,
  recordKind,
  type Texts,
} from '../../../entries/plugin.ts'
import { hasPassword, linkedAccounts } from '../../../entries/plugin-accounts.ts'
import type { Own } from '../own.ts'
import { linkKey } from '../records/infos.ts'
import type { AccountKey } from '../texts.ts'
import { describeUser } from './describe-account.ts'
import { listPasskeys } from './list-passkeys.ts'

/** The version of the shape of the file. */
const VERSION = 1

/**
 * Returns the file with what is stored about a user, member by member. It never has a secret, a hash or a token: each member
 * is made of named values.
 */
export function exportOf(
  user: AdapterUser,
  texts: Pick<Texts<AccountKey>, 'text'>,
  own: Own,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const parts = membersOf(user, texts, own)
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(encodeUtf8(value))
    },
    async cancel() {
      await parts.return(undefined)
    },
  })
}

async function* membersOf(
  user: AdapterUser,
  texts: Pick<Texts<AccountKey>, 'text'>,
  own: Own,
): AsyncGenerator<string, void> {
  const { host, settings } = own
  const member = (name: string, value: unknown): string =>
    `,\n${JSON.stringify(name)}: ${JSON.stringify(value, null, 2)}`
  yield `{\n"version": ${VERSION},\n"exportedAt": "${new Date(host.ports.now()).toISOString()}"`
  const { id, name = null, email, emailVerified, image = null } = user
  const { username, locale, createdAt } = await describeUser(user, own)
  yield member('user', { id, name, email, emailVerified, image, username, locale, createdAt })
  yield member('password', { isSet: await hasPassword(id, host), ...(await passwordTime(id, own)) })
  const passkeys = await listPasskeys(user, texts, own)
  yield member(
    'passkeys',
    passkeys.map(({ shown }) => {
      const { thisDevice: _, ...kept } = shown
      return kept
    }),
  )
  yield member('accounts', await accountsOf(id, own))
  yield member('sessions', await sessionsOf(id, own))
  yield member('devices', await devicesOf(id, own))
  const held = await host.plugins.factors()?.held(id)
  yield member('factors', await factorsOf(id, held, own))
  yield member('recoveryCodes', recoveryOf(held))
  if (typeof settings.export === 'function') {
    yield ',\n"export": ['
    let isFirst = true
    for await (const entry of settings.export(id)) {
      yield `${isFirst ? '' : ','}\n${JSON.stringify(entry, null, 2)}`
      isFirst = false
    }
    yield ']'
  }
  yield '\n}\n'
}

async function passwordTime(userId: string, { host }: Own): Promise<JsonObject> {
  const setAt = await host.plugins.passwords()?.setAt(userId)
  return setAt === undefined ? {} : { setAt: new Date(setAt).toISOString() }
}

async function accountsOf(userId: string, own: Own): Promise<unknown[]> {
  const { host, links } = own
  const accounts = (await linkedAccounts(userId, host)).filter(({ type }) => type !== 'webauthn')
  return Promise.all(
    accounts.map(async ({ provider, providerAccountId, type, scope }) => {
      const { linkedAt } =
        (await links.get(await linkKey({ provider, providerAccountId }, own)))?.data ?? {}
      return {
        provider,
        providerAccountId,
        type,
        ...(typeof scope === 'string' && { scope }),
        ...(linkedAt !== undefined && { linkedAt: new Date(linkedAt).toISOString() }),
      }
    }),
  )
}

/** Members of sessions that may be shown to their owner. The others, such as the key of a stored session, are secrets. */
const SHOWN = [
  'sid',
  'name',
  'begun',
  'seen',
  'expires',
  'via',
  'provider',
  'methods',
  'device',
  'address',
] as const

async function sessionsOf(userId: string, { host }: Own): Promise<unknown[]> {
  const sessions = (await host.sessions.control()?.list(userId)) ?? []
  return sessions.map((session) =>
    Object.fromEntries(
      SHOWN.filter((name) => name in session).map((name) => [
        name,
        (session as Readonly<Record<string, unknown>>)[name],
      ]),
    ),
  )
}

/** Times of a browser in which the user signed in. */
const TIMES = ['firstAt', 'lastAt', 'trustedUntil'] as const

/** Browsers that the plugin `limits` knows, with their times. The other members and the keys of their records are secrets. */
async function devicesOf(userId: string, { host }: Own): Promise<unknown[]> {
  const kind = recordKind<JsonObject>(host, 'device', {
    shape: (data) => data,
    hasSecretKeys: true,
  })
  const devices: JsonObject[] = []
  for await (const { data } of kind.each(userId)) {
    // The record of a browser from before its last sign-in.
    if (data['next'] !== undefined) continue
    const times = TIMES.flatMap((name) => {
      const at = data[name]
      return typeof at === 'number' ? [[name, new Date(at).toISOString()] as const] : []
    })
    devices.push(Object.fromEntries(times))
  }
  return devices
}

/** Second factors of the plugin `twoFactor`: their kind and their times, whose records have the secrets. */
async function factorsOf(
  userId: string,
  held: HeldFactors | undefined,
  { host }: Own,
): Promise<unknown[]> {
  const { records } = await host.records.list(
    { kind: 'totp', userId, limit: 100 },
    { damaged: 'return' },
  )
  const apps = records.map(({ createdAt }) => ({
    type: 'totp',
    createdAt: createdAt.toISOString(),
  }))
  const { mailSince } = held ?? {}
  if (mailSince === undefined) return apps
  return [...apps, { type: 'email', createdAt: new Date(mailSince).toISOString() }]
}

/** When the recovery codes were made, and how many are left. Their values are stored nowhere. */
function recoveryOf({ recovery }: Partial<HeldFactors> = {}): JsonObject | null {
  return recovery ? { madeAt: new Date(recovery.madeAt).toISOString(), left: recovery.left } : null
}
