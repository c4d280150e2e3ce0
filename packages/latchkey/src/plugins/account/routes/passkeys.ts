import * as v from 'valibot'
import {
  type Answer,
  type Call,
  type NewPasskeys,
  noticeIn,
  Problem,
} from '../../../entries/plugin.ts'
import {
  endSessions,
  findPublic,
  nameOfWay,
  removeWayIn,
  tellSecurity,
} from '../../../entries/plugin-accounts.ts'
import { browserOf, listPasskeys, type OwnPasskey } from '../flows/list-passkeys.ts'
import { tellAdded } from '../flows/note-linked.ts'
import { isOffered, refusedCookie } from '../flows/offer-passkey.ts'
import { tellChange } from '../mails.ts'
import type { Own } from '../own.ts'
import {
  addPasskeyPage,
  DONE,
  offeredPasskey,
  type PasskeysDone,
  passkeysPage,
  removePasskeyPage,
} from '../pages/passkeys.ts'
import { passkeyKey } from '../records/infos.ts'
import { type Caller, callerOf, needSensitive } from './caller.ts'
import { hasControls, publicIdField, typed } from './fields.ts'
import { partsOf } from './parts.ts'

interface Shown {
  /** The passkey that the page asks to remove. */
  readonly confirm?: string | undefined
}

interface Named {
  readonly id: string
  readonly name: string
}

interface Added {
  readonly data: string
  /** Set by a script to `true` if the browser did not ask anybody. */
  readonly conditional?: boolean | undefined
  readonly name?: string | undefined
}

interface Asked {
  readonly second?: boolean | '1' | undefined
}

export const optionsInput: v.GenericSchema<Asked> = v.strictObject({
  second: v.optional(v.union([v.boolean(), v.literal('1')])),
})

export const shownInput: v.GenericSchema<Shown> = v.strictObject({
  confirm: v.optional(publicIdField),
})

export const addInput: v.GenericSchema<Added> = v.strictObject({
  data: v.pipe(v.string(), v.maxLength(60_000)),
  conditional: v.optional(v.boolean()),
  name: v.optional(typed),
})

export const renameInput: v.GenericSchema<Named> = v.strictObject({
  id: publicIdField,
  name: typed,
})

export const removeInput: v.GenericSchema<Pick<Named, 'id'>> = v.strictObject({ id: publicIdField })

const PAGE = 'account/passkeys'
/** The page of the plugin `twoFactor`. */
const FACTORS = 'account/two-factor'

/** `GET account/passkeys` */
export async function show(call: Call<Shown>, own: Own): Promise<Answer> {
  const { user, session } = await callerOf(call, own)
  const configured = passkeysOf(own)
  const parts = await partsOf(call, own)
  const passkeys = await listPasskeys(user, parts.texts, own, call.request)
  const { confirm } = call.input
  if (confirm !== undefined) {
    const asked = await named(confirm, passkeys, own)
    // Checked before the question, so that nobody has to prove their identity after it.
    await needSensitive({ session, callbackUrl: call.callbackUrl }, PAGE, own, { confirm })
    return { page: removePasskeyPage(asked.shown, parts) }
  }
  const party = await configured.relyingParty(call.request, user)
  const accepted = { ...party, ids: passkeys.map(({ credentialId }) => urlSafe(credentialId)) }
  const shown = passkeys.map((each) => each.shown)
  return {
    page: passkeysPage({ passkeys: shown, accepted, done: doneBefore(call) }, parts),
    json: { passkeys: shown },
  }
}

/** `GET account/passkey-endpoints`, which `/.well-known/passkey-endpoints` shows: the pages for passkeys. */
export async function endpoints({ request }: Call, own: Own): Promise<Answer> {
  passkeysOf(own)
  const page = `${request.origin}${own.host.site.path(PAGE)}`
  return { json: { enroll: page, manage: page } }
}

function doneBefore(call: Call<Shown>): PasskeysDone | undefined {
  const id = noticeIn(call, DONE)
  return id && { id, name: call.notice?.params?.[0] ?? '' }
}

/**
 * `POST account/passkey-options`: the options for the browser, on the page that creates the passkey. The kind of the key is sealed
 * with its challenge.
 */
export async function options(call: Call<Asked>, own: Own): Promise<Answer> {
  const { user, session } = await callerOf(call, own)
  const configured = passkeysOf(own)
  const isSecond = call.input.second === true || call.input.second === '1'
  if (isSecond && !own.host.plugins.factors()?.takesKeys)
    throw new Problem('not_found', 'keys are no second factors here')
  await needSensitive({ session, callbackUrl: call.callbackUrl }, isSecond ? FACTORS : PAGE, own)
  const offered = await configured.options(call.request, user, { isSecond })
  return {
    json: offered.options,
    page: addPasskeyPage(offered.options, isSecond, await partsOf(call, own)),
    cookies: offered.cookies,
  }
}

/** `POST account/add-passkey` */
export async function add(call: Call<Added>, own: Own): Promise<Answer> {
  const { host, passkeys } = own
  const { request, input } = call
  const { user, session } = await callerOf(call, own)
  const configured = passkeysOf(own)
  await needSensitive({ session, callbackUrl: call.callbackUrl }, PAGE, own)
  const name = input.name === undefined ? undefined : readName(input.name)
  const made = await configured.register(request, user, input.data, {
    isConditional: input.conditional === true,
  })
  const { credentialID } = made.passkey
  const { aaguid } = made
  const browser = browserOf(request.original)
  const madeIn = isOfDevice(input.data) ? await host.attempts.poolOf(user.id, request) : undefined
  await passkeys.upsert(await passkeyKey(credentialID, own), (data = {}) => ({
    data: {
      createdAt: host.ports.now(),
      ...data,
      ...(aaguid !== undefined && { aaguid }),
      ...(name !== undefined && { name }),
      ...(browser !== undefined && { browser }),
      ...(madeIn !== undefined && { madeIn }),
    },
    userId: user.id,
  }))
  const account = { provider: made.provider, providerAccountId: credentialID }
  await tellAdded(user.id, { ...account, type: 'webauthn' }, request, own)
  const { texts } = await partsOf(call, own)
  const all = await listPasskeys(user, texts, own, request)
  const shown = all.find(({ credentialId }) => credentialId === credentialID)?.shown
  const isSecond = shown?.firstFactor === false
  const passkey = { ...shown, ...(isSecond && { secondFactor: true }) }
  const answer: Answer = {
    status: 201,
    json: { passkey },
    to: host.site.path(PAGE),
    notice: { id: 'added', params: [shown?.name ?? ''], withJson: input.conditional === true },
    cookies: made.cookies,
  }
  const factors = host.plugins.factors()
  return isSecond && factors ? factors.useKeys(call, answer) : answer
}

/** Returns whether the device with the browser made a passkey, and not a key or a telephone that was connected to it. */
function isOfDevice(data: string): boolean {
  const { authenticatorAttachment } = JSON.parse(data) as { authenticatorAttachment?: unknown }
  return authenticatorAttachment === 'platform'
}

/** Seconds after a sign-in with a password in which the browser is asked for a passkey without a question. */
const UPGRADE = 5 * 60

/** Returns the offer on the overview of the account. */
export async function offerBox(
  call: Call,
  own: Own,
): Promise<ReturnType<typeof offeredPasskey> | undefined> {
  const { current, request } = call
  if (!current || current.holder !== undefined) return undefined
  if (!(await isOffered(String(current.user.id), request, own))) return undefined
  const { amr = [], auth_time: provedAt = 0 } = await current.facts.known()
  const isRecent = own.host.ports.now() / 1000 - provedAt <= UPGRADE
  return offeredPasskey(amr.includes('pwd') && isRecent, await partsOf(call, own))
}

/** `POST account/refuse-passkey`: this browser offers none for a while. */
export async function refuse({ request }: Call, { host }: Own): Promise<Answer> {
  return {
    json: { status: 'refused' },
    to: host.site.path('account'),
    cookies: [refusedCookie(request, host)],
  }
}

/** `POST account/rename-passkey` */
export async function rename(call: Call<Named>, own: Own): Promise<Answer> {
  const { host, passkeys } = own
  const { user } = await callerOf(call, own)
  const { texts } = await partsOf(call, own)
  const passkey = await named(call.input.id, await listPasskeys(user, texts, own), own)
  const name = readName(call.input.name)
  await passkeys.upsert(await passkeyKey(passkey.credentialId, own), (data = {}) => ({
    data: { ...data, name },
    userId: user.id,
  }))
  await tellSecurity(host, { type: 'factor.renamed', outcome: 'success', userId: user.id })
  return {
    status: 204,
    to: host.site.path(PAGE),
    notice: { id: 'renamed', params: [name] },
  }
}

/** `POST account/remove-passkey` */
export async function remove(call: Call<Pick<Named, 'id'>>, own: Own): Promise<Answer> {
  const { host } = own
  const { request, input } = call
  const caller = await callerOf(call, own)
  const { user } = caller
  const { texts } = await partsOf(call, own)
  const passkey = await named(input.id, await listPasskeys(user, texts, own), own)
  await needSensitive(caller, PAGE, own, { confirm: input.id })
  await removePasskey(user.id, passkey, own)
  await endOthers(caller, own)
  await tellSecurity(host, { type: 'factor.removed', outcome: 'success', userId: user.id })
  await tellChange(user, { kind: 'passkey-removed', passkey: passkey.shown.name }, request, own)
  return { status: 204, to: host.site.path(PAGE), notice: { id: 'removed' } }
}

/**
 * Removes a passkey, unless it is the last way into the account, or the last second factor of a user who must have one.
 *
 * @throws {Problem} `last_way_in`, `last_factor`, `not_found`
 */
async function removePasskey(
  userId: string,
  { provider, credentialId, shown }: OwnPasskey,
  own: Own,
): Promise<void> {
  const { host, passkeys } = own
  const account = { provider, providerAccountId: credentialId }
  const factors = host.plugins.factors()
  const key = await passkeyKey(credentialId, own)
  const removeFactor = () => (factors ? factors.removePasskey(userId, key, remove) : remove())
  if (shown.firstFactor)
    await removeWayIn(userId, nameOfWay({ kind: 'passkey', account }), host, removeFactor)
  else await removeFactor()

  async function remove(): Promise<void> {
    // Nothing is left of a key that another call has removed.
    if (!(await host.store?.getAccount(credentialId, provider)))
      throw new Problem('not_found', 'the passkey was removed meanwhile')
    await host.users.unlink(account)
    await passkeys.delete(key)
  }
}

/** Ends the other sessions, which may have begun with what was removed. */
async function endOthers({ user, session }: Caller, { host }: Own): Promise<void> {
  await endSessions(user.id, 'factor-changed', host, session.facts)
}

/** @throws {Problem} `not_found` without a passkey provider. */
function passkeysOf({ host }: Own): NewPasskeys {
  const configured = host.providers.newPasskeys()
  if (!configured) throw new Problem('not_found', 'the configuration has no passkey provider')
  return configured
}

const found = (
  id: string,
  passkeys: readonly OwnPasskey[],
  { host }: Own,
): Promise<OwnPasskey | undefined> =>
  findPublic(id, 'passkey', passkeys, ({ credentialId }) => credentialId, host)

/** @throws {Problem} `not_found`, also for the passkey of somebody else. */
async function named(id: string, passkeys: readonly OwnPasskey[], own: Own): Promise<OwnPasskey> {
  const passkey = await found(id, passkeys, own)
  if (!passkey) throw new Problem('not_found', 'the user has no such passkey')
  return passkey
}

/** @throws {Problem} `invalid_input` unless it has 1 to 64 characters that can be seen. */
function readName(given: string): string {
  const name = given.trim()
  const { length } = Array.from(name)
  if (length >= 1 && length <= 64 && !hasControls(name)) return name
  throw new Problem('invalid_input', 'the name is empty, too long or has controls', {
    errors: [{ field: 'name', code: 'invalid' }],
  })
}

/** Returns the id of a credential as browsers write it. */
function urlSafe(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
