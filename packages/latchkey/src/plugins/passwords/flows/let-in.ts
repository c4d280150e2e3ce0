import { type AdapterUser, Problem, type SiteRequest } from '../../../entries/plugin.ts'
import { tellSecurity } from '../../../entries/plugin-accounts.ts'
import type { Own } from '../own.ts'
import { SIGN_UP_AGE } from '../records/sign-ups.ts'
import type { UnprovedUser } from '../records/unproved.ts'
import { askedBy, type NewSignUp } from './begin-sign-up.ts'
import { createUser, tellCreated } from './create-user.ts'
import { deliver, drawProof, isLater, PAUSE } from './proof-mail.ts'

/**
 * Creates a user who may sign in before the address is proved, and mails the code. An address that has a user gets another
 * mail, and is otherwise treated alike: as much is written, and nothing of the user changes.
 *
 * @throws {Problem} `mail_unavailable`
 */
export async function letIn(signUp: NewSignUp, request: SiteRequest, own: Own): Promise<void> {
  const { host, signUps } = own
  const { email, flow } = signUp
  const now = host.ports.now()
  const key = await host.keys.hash('sign-up', email)
  const drawn = await drawProof(email, flow, own)
  const asked = askedBy(request, now)
  const user = await makeUser(
    signUp,
    { ...unused, at: now, since: now, sentAt: now, flow, asked, ...drawn.stored },
    own,
  )
  // It only says when the last mail was sent. No proof finishes it.
  const isNew = await signUps.upsert(key, (before) => {
    if (before && now - before.sentAt < PAUSE) return undefined
    const sentAt = isLater(own) ? now : 0
    const data = { flow, asked, sentAt, hash: '', ...drawn.stored, tries: 0, existing: true }
    return { data, expires: new Date(now + SIGN_UP_AGE * 1000) }
  })
  if (!isNew) return
  await tellSecurity(host, { type: 'signup.begun', outcome: 'success', typed: email })
  await deliver({ key, email, kind: user ? 'let-in' : 'registered', drawn }, request, own)
}

const unused: Pick<UnprovedUser, 'state' | 'refused' | 'tries'> = {
  state: 'waiting',
  refused: 0,
  tries: 0,
}

/** Returns the new user; `undefined` if the address has one. */
async function makeUser(
  { email, name, username, fields, flow, phc }: NewSignUp,
  data: UnprovedUser,
  own: Own,
): Promise<AdapterUser | undefined> {
  const { host, unproved } = own
  try {
    const user = await createUser(
      { email, emailVerified: null, name, username, flow, phc },
      own,
      ({ id }) => unproved.create({ key: id, userId: id, data }),
    )
    // The time of the response must not show that the application has something to do.
    await host.work.afterResponse('sign-up', async () => {
      await tellCreated(user, fields, host)
      await tellSecurity(host, { type: 'signup.finished', outcome: 'success', userId: user.id })
    })
    return user
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'invalid_code') throw error
    await writeAsMuch({ phc, username, flow }, own)
    return undefined
  }
}

/** Milliseconds for which what is written for its time alone is kept. */
const AT_ONCE = 1000

/** Writes as much for an address that has a user as for a new user, so that it takes as long. */
async function writeAsMuch(
  { phc, username, flow }: Pick<NewSignUp, 'phc' | 'username' | 'flow'>,
  { host, passwords }: Own,
): Promise<void> {
  const now = host.ports.now()
  const expires = new Date(now + AT_ONCE)
  const hash = await passwords.seal(phc, flow)
  for (const what of ['user', 'unproved', 'password'])
    await host.records.create({
      kind: 'sign-up-known',
      key: `${flow} ${what} ${now}`,
      userId: undefined,
      data: { hash },
      expires,
    })
  if (username !== undefined)
    await host.userNames()?.reserve(username, flow, new Date(now + SIGN_UP_AGE * 1000))
}
