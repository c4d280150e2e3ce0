import { type Adapter, atomic } from '../../src/model/adapter.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import type { EventHandlers } from '../../src/options/events.ts'
import { CLIENT_SECRET } from '../support/simulated-provider.ts'
import type { Site } from './site.ts'

/** What was seen of a site, and what of it should not be. */
export interface Findings {
  /** What does not hold, oldest first. */
  readonly wrong: string[]
  /** Names of the calls that wrote into a store. */
  readonly writes: string[]
  readonly events: EventHandlers
  /** Set where a session of another library is read, whose cookie outlives the browser. */
  isFromElsewhere: boolean
  error(error: Error): void
  /** Takes an error that a course provokes for right. */
  permit(message: RegExp): void
  callbacks(own: NonNullable<AuthConfig['callbacks']>): NonNullable<AuthConfig['callbacks']>
  answered(answer: Response, at: At): Promise<void>
  /** Ids that leave the core are text, wherever they are. */
  checkIds(value: unknown, where: string): void
}

interface At {
  readonly path: string
  readonly site: Site
  readonly jar: ReadonlyMap<string, { readonly value: string }>
}

const IDS = ['id', 'userId', 'sub']

export function findings(): Findings {
  const wrong: string[] = []
  const checkIds = (value: unknown, where: string): void => {
    if (typeof value !== 'object' || value === null || value instanceof Date) return
    for (const [name, member] of Object.entries(value)) {
      const isId = IDS.includes(name) && member !== undefined
      if (isId && typeof member !== 'string')
        wrong.push(`\`${name}\` of ${where} is a ${typeof member}`)
      else if (['user', 'account', 'token', 'session'].includes(name)) checkIds(member, where)
    }
  }
  const events = [
    'createUser',
    'updateUser',
    'linkAccount',
    'signIn',
    'signOut',
    'session',
    'sessionEnded',
  ].map((name) => [name, (message: unknown) => checkIds(message, `the event ${name}`)])
  return {
    wrong,
    writes: [],
    isFromElsewhere: false,
    events: Object.fromEntries(events) as EventHandlers,
    checkIds,
    error: (error) => void wrong.push(`an error was logged: ${error.message}`),
    permit(message) {
      const left = wrong.filter((each) => !message.test(each))
      wrong.splice(0, wrong.length, ...left)
    },
    callbacks: ({ jwt, session }) => ({
      signIn: (params) => {
        checkIds(params, 'the callback signIn')
        return true
      },
      ...(jwt && {
        jwt: (params) => {
          checkIds(params, 'the callback jwt')
          return jwt(params)
        },
      }),
      ...(session && {
        session: (params) => {
          checkIds(params, 'the callback session')
          return session(params)
        },
      }),
    }),
    async answered(answer, at) {
      wrong.push(...(await faultsOf(answer, at)))
    },
  }
}

/** What an answer must not have, whatever was asked. */
async function faultsOf(answer: Response, { path, site, jar }: At): Promise<string[]> {
  const faults: string[] = []
  const fault = (what: string): void => void faults.push(`${path} answers with ${what}`)
  if (answer.status >= 500) fault(`${answer.status}`)
  const body = await answer.clone().text()
  if (body.includes('sessionToken')) fault('`sessionToken`')
  const location = answer.headers.get('location') ?? ''
  for (const secret of [site.secret, CLIENT_SECRET]) {
    if ((body + location).includes(secret)) fault('a secret')
  }
  for (const [name, { value }] of jar) {
    const isSecret = /session-token|own\.session|provider-tokens|id-token/.test(name)
    if (isSecret && value.length > 20 && (body + location).includes(value))
      fault(`the cookie ${name}`)
  }
  if (/(?:access|refresh)-\d/.test(body)) fault('a token of a provider')
  const isShort = site.life === 12 * 3600 && !site.found.isFromElsewhere
  for (const line of answer.headers.getSetCookie()) {
    const isSession = /session-token|own\.session|latchkey\.provider-tokens(?:\.\d+)?=/.test(line)
    const isGone = /max-age=0|1970/i.test(line)
    if (isSession && isShort && !isGone && /expires=|max-age=/i.test(line))
      fault(`a lasting cookie for a session that is not remembered: ${line.slice(0, 40)}`)
    if (site.choice.scheme === 'http' && /; secure/i.test(line))
      fault(`a cookie that browsers refuse over http: ${line.slice(0, 40)}`)
  }
  return faults
}

const READS = /^(?:get|list)/

/** A store that notes what is written, and looks at the ids of records. Each process has an object of its own. */
export function watched(inner: Adapter, found: Findings): Adapter {
  const noted = (methods: object): object =>
    Object.fromEntries(
      Object.entries(methods).map(([name, method]) => [
        name,
        typeof method !== 'function' || name === 'transaction'
          ? method
          : (...args: unknown[]) => {
              if (!READS.test(name)) found.writes.push(name)
              if (name.endsWith('Record')) found.checkIds(args[0], `a record (${name})`)
              return (method as (...all: unknown[]) => unknown).apply(inner, args)
            },
      ]),
    )
  const abilities = inner[atomic]
  return {
    ...noted(inner),
    ...(abilities && {
      [atomic]: {
        ...noted(abilities),
        ...(abilities.transaction && {
          transaction: (work: (inside: Adapter) => Promise<unknown>) =>
            abilities.transaction?.((inside) => work(watched(inside, found))),
        }),
      },
    }),
  } as Adapter
}
