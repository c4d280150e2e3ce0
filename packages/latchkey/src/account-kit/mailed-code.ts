import { equal } from '../base/crypto/equal.ts'
import { type CodeLength, drawCode, readCode } from '../flows/email/sign-in-code.ts'
import type { SiteRequest } from '../http/request.ts'
import type { AdapterUser } from '../model/user.ts'
import type { Host } from '../plugin/host.ts'
import { Problem } from '../plugin/problem.ts'
import { type RecordKind, recordKind } from '../plugin/record-kind.ts'
import type { Answer } from '../plugin/route.ts'
import { type SecurityEvent, tellSecurity } from './security-event.ts'

const PURPOSES = ['sign-in', 'reauthenticate', 'second-factor'] as const

/** What a code is for. It is wrong for anything else. */
export type CodePurpose = (typeof PURPOSES)[number]

/** The data of a mailed code. Its key is a keyed hash of place and address. */
type MailedCode = {
  /** The keyed hash of the code, or an empty text if every code is wrong. */
  readonly code: string
  /** Attempts so far. */
  readonly tries: number
  readonly purpose: CodePurpose
  /** When it was mailed, in milliseconds. */
  readonly sentAt: number
}

/** Where a code may be typed, and to whom it is mailed. */
export interface CodePlace {
  /** A random value of the browser, or what stands for a session or for a sign-in that waits. */
  readonly browser: string
  readonly email: string
  /** @default 'sign-in' */
  readonly purpose?: CodePurpose | undefined
  /** The user of the session or of the sign-in that waits. */
  readonly userId?: string | undefined
}

/** Who types a code that proves something more, and where. */
export interface CodeProver {
  readonly user: Pick<AdapterUser, 'id' | 'email'>
  readonly request: SiteRequest
  /** The id of the session, or the key of the sign-in that waits. */
  readonly sid: string | undefined
}

/**
 * Returns the place of a code for one session or one sign-in that waits. A browser that is known to the user has places of its own,
 * so a session that was stolen from it gives no attempts at the codes of its owner.
 */
export async function placeOfProver(
  purpose: Exclude<CodePurpose, 'sign-in'>,
  { user, request, sid = '' }: CodeProver,
  { attempts }: Pick<Host, 'attempts'>,
): Promise<CodePlace> {
  const known = await attempts.poolOf(user.id, request)
  const browser = known === undefined ? sid : `${sid} ${known}`
  return { purpose, browser, email: user.email ?? '', userId: user.id }
}

/** The bounds of codes. Times are in seconds. */
export interface CodeRules {
  readonly length: CodeLength
  readonly expiresIn: number
  /** Attempts for one code. */
  readonly tries: number
  /** Until another code is mailed. */
  readonly resendAfter: number
  /** Attempts for all codes of one address from unknown browsers, and from each known one. */
  readonly perAddress: { readonly limit: number; readonly window: number }
}

/** How a code is mailed. */
export interface CodeMailing {
  /** Whom the event `code.sent` is about. */
  readonly about: Pick<SecurityEvent, 'userId' | 'typed'>
  /** Every code is wrong, as if it was mistyped. @default false */
  readonly isWrong?: boolean
  /** Mails the code. If it throws, the code ends. */
  mail(code: string): Promise<void>
}

/** Codes that are mailed without a link. */
export interface MailedCodes {
  /**
   * Mails a new code, unless one was mailed a moment ago. The one before ends.
   *
   * @returns the response: 202 with the times until which the code works, and from which another one is mailed.
   * @throws what `mail` throws. Another code can be asked for at once then.
   */
  send(
    place: CodePlace,
    mailing: CodeMailing,
  ): Promise<{ readonly status: 202; readonly json: NonNullable<Answer['json']> }>
  /**
   * Compares a typed code, and takes it if it is right. The attempt is counted before. Of concurrent calls with the right
   * code, exactly one receives `true`. What is no code is wrong, and no attempt.
   *
   * @throws {Problem} `too_many_attempts` with `retryAfter`: the seconds until another code helps.
   */
  isRight(place: CodePlace, typed: string, request: SiteRequest): Promise<boolean>
  /** Ends the code of a place. */
  end(place: CodePlace): Promise<void>
  /** Returns whether a code was mailed that may be typed here. */
  isAsked(place: CodePlace): Promise<boolean>
  /** Returns whether a code was mailed a moment ago, so that {@link send} mails none. */
  isFresh(place: CodePlace): Promise<boolean>
}

/** Creates the records of mailed codes. */
export function mailedCodes(host: Host, rules: CodeRules): MailedCodes {
  const { ports, keys, attempts } = host
  const codes: RecordKind<MailedCode> = recordKind<MailedCode>(host, 'email-code', {
    hasSecretKeys: true,
    shape: ({ code, tries, purpose, sentAt }) =>
      typeof code === 'string' &&
      typeof tries === 'number' &&
      isPurpose(purpose) &&
      typeof sentAt === 'number'
        ? { code, tries, purpose, sentAt }
        : undefined,
  })

  /** Returns a stored code and its key, which may have been made with an older secret. */
  async function find(place: CodePlace): Promise<FoundCode | undefined> {
    for (const key of await keys.hashes(...keyOf(place))) {
      const found = await codes.get(key)
      if (found) return { key, data: found.data }
    }
    return undefined
  }

  async function end(place: CodePlace): Promise<void> {
    const found = await find(place)
    if (found) await codes.delete(found.key)
  }

  /** Stores a new code. @returns it, unless one was mailed a moment ago, with the times of the one that may be typed. */
  async function store(place: CodePlace, isWrong: boolean): Promise<StoredCode> {
    const { expiresIn, length } = rules
    const { purpose = SIGN_IN } = place
    const code = drawCode(ports.random, length)
    const hash = await keys.hash(...valueOf(place, code))
    const now = ports.now()
    const key = (await find(place))?.key ?? (await keys.hash(...keyOf(place)))
    let stored: StoredCode = { code, sentAt: now, expires: new Date(now + expiresIn * 1000) }
    await codes.upsert(key, (before, record) => {
      if (before && record && now < resendAt(before)) {
        const expires = record.expires ?? stored.expires
        stored = { code: undefined, sentAt: before.sentAt, expires }
        return undefined
      }
      const { expires } = stored
      return { data: { code: isWrong ? '' : hash, tries: 0, purpose, sentAt: now }, expires }
    })
    return stored
  }

  const resendAt = ({ sentAt }: Pick<MailedCode, 'sentAt'>): number =>
    sentAt + rules.resendAfter * 1000

  return {
    async send(place, { about, isWrong = false, mail }) {
      const stored = await store(place, isWrong)
      const { code, expires } = stored
      if (code !== undefined) {
        try {
          await mail(code)
        } catch (error) {
          // Without it, a second try would be told to wait for a mail that never comes.
          await end(place)
          throw error
        }
        await tellSecurity(host, { type: 'code.sent', outcome: 'success', ...about })
      }
      return {
        status: 202,
        json: {
          status: 'mail_sent',
          expires: expires.toISOString(),
          resendAt: new Date(resendAt(stored)).toISOString(),
        },
      }
    },
    async isRight(place, typed, request) {
      const given = readCode(typed, rules.length)
      const found = given === undefined ? undefined : await find(place)
      if (given === undefined || !found) return false
      const { key } = found
      const tried = await codes.update(key, (data) =>
        data.tries < rules.tries ? { data: { ...data, tries: data.tries + 1 } } : undefined,
      )
      if (!tried) return false
      const { data } = tried.record
      if (!tried.isChanged) throw tooMany(Math.ceil((resendAt(data) - ports.now()) / 1000))
      const { perAddress } = rules
      const { email: address, userId, purpose = SIGN_IN } = place
      const proved = userId === undefined ? undefined : { userId, purpose }
      // Other unknown browsers and spellings of the address have no attempts of their own.
      if (!(await attempts.guessCode({ address, request, proved }, perAddress)))
        throw tooMany(perAddress.window)
      const hashes = await keys.hashes(...valueOf(place, given))
      if (!hashes.some((each) => equal(each, data.code))) return false
      const taken = await codes.take(key)
      // Another code may have been mailed in the meantime.
      return taken?.data.code === data.code
    },
    end,
    isAsked: async (place) => (await find(place)) !== undefined,
    async isFresh(place) {
      const found = await find(place)
      return found !== undefined && ports.now() < resendAt(found.data)
    },
  }
}

interface FoundCode {
  readonly key: string
  readonly data: MailedCode
}

interface StoredCode {
  /** `undefined` if one was mailed a moment ago. */
  readonly code: string | undefined
  readonly sentAt: number
  readonly expires: Date
}

/** @param seconds until another code helps; less than one if that is now. */
function tooMany(seconds: number): Problem {
  const retryAfter = Math.max(1, seconds)
  return new Problem(
    'too_many_attempts',
    'there were too many attempts with this code or for this address',
    { headers: { 'retry-after': String(retryAfter) }, members: { retryAfter } },
  )
}

const isPurpose = (value: unknown): value is CodePurpose =>
  (PURPOSES as readonly unknown[]).includes(value)

const SIGN_IN = 'sign-in'

const keyOf = ({
  browser,
  email,
  purpose = SIGN_IN,
}: CodePlace): readonly [purpose: string, ...parts: string[]] =>
  purpose === SIGN_IN ? ['email-code', browser, email] : ['email-code', purpose, browser, email]

const valueOf = ({ browser, email, purpose = SIGN_IN }: CodePlace, code: string) =>
  ['email-code-value', browser, email, purpose, code] as const
