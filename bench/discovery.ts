/**
 * Whether the time of a response tells that an address has an account (T-ACC-7). See README.md.
 *
 *     npm run bench:discovery [-- --quick]
 *
 * An address with an account and one without are asked for in turns, and the two sets of times are compared by the test of
 * Kolmogorov and Smirnov. It is no test of the suite: of a hundred runs, one is below 0.01 by chance.
 */
import { argon2, randomBytes, randomInt } from 'node:crypto'
import { parseArgs, promisify } from 'node:util'
import { type AuthConfig, createLatchkey } from 'latchkey'
import { memoryAdapter } from 'latchkey/adapters/memory'
import { emailCode } from 'latchkey/plugins/email-code'
import { passwords } from 'latchkey/plugins/passwords'
import { sessions } from 'latchkey/plugins/sessions'
import { ORIGIN } from './cases/passwords.ts'
import { secret } from './contenders.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })

const RUNS = values.quick ? 1 : 3
/** Requests for each of the two addresses. Those that hash take a hundred times as long. */
const SAMPLES = values.quick ? { quick: 400, hashing: 60 } : { quick: 2000, hashing: 300 }
const PASSWORD = 'correct horse battery staple'

const adapter = memoryAdapter()
const config = {
  secret,
  adapter,
  trustHost: true,
  basePath: '/auth',
  session: { strategy: 'jwt' },
  logger: { warn: () => undefined, debug: () => undefined },
  providers: [
    {
      id: 'post',
      name: 'Post',
      type: 'email',
      maxAge: 600,
      options: {},
      sendVerificationRequest() {},
      sendMail: () => undefined,
    },
  ],
  plugins: [
    sessions(),
    passwords({ limits: false, hashing: { patience: 60 } }),
    emailCode({ limits: false }),
  ],
} satisfies AuthConfig
const { handler, api } = createLatchkey(config, {})

/** One hash for all, since making one for each would take hours. */
async function hashOfAll(): Promise<string> {
  const salt = randomBytes(16)
  const tag = await promisify(argon2)('argon2id', {
    message: PASSWORD,
    nonce: salt,
    memory: 19_456,
    passes: 2,
    parallelism: 1,
    tagLength: 32,
  })
  const [saltText, tagText] = [salt, tag].map((each) => each.toString('base64').replaceAll('=', ''))
  return `$argon2id$v=19$m=19456,t=2,p=1$${saltText}$${tagText}`
}

const hash = await hashOfAll()

/**
 * Each request is about another address, so that none waits for the pause between two mails. The work here is the same for
 * both kinds: who has no account is asked for by another address than the one that was stored.
 */
let people = 0
async function someone(hasAccount: boolean): Promise<string> {
  const number = String(++people).padStart(8, '0')
  const email = `person-${number}@example.com`
  await adapter.createUser?.({ id: email, name: null, email, emailVerified: new Date() })
  await api.passwords.importHash(email, { hash })
  return hasAccount ? email : `nobody-${number}@example.com`
}

interface Asked {
  readonly kind: 0 | 1
  readonly email: string
}

interface Action {
  readonly path: string
  readonly samples: number
  fields(email: string): object
}

const actions: readonly Action[] = [
  {
    path: 'password/sign-in',
    samples: SAMPLES.hashing,
    fields: (identifier) => ({ identifier, password: 'a guess that is wrong' }),
  },
  {
    path: 'password/sign-up',
    samples: SAMPLES.hashing,
    fields: (email) => ({ email, password: PASSWORD }),
  },
  { path: 'password/forgot', samples: SAMPLES.quick, fields: (identifier) => ({ identifier }) },
  { path: 'email-code/send', samples: SAMPLES.quick, fields: (email) => ({ email }) },
]

async function timeOf({ path, fields }: Action, email: string): Promise<number> {
  const request = new Request(`${ORIGIN}/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: ORIGIN },
    body: JSON.stringify(fields(email)),
  })
  const start = performance.now()
  const response = await handler(request)
  await response.text()
  return performance.now() - start
}

/** Asks for both kinds, in an order that chance decides. */
async function sample(action: Action, atOnce: number): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []]
  for (let done = 0; done < action.samples; done += atOnce) {
    const asked = await Promise.all(
      Array.from({ length: atOnce * 2 }, async (_, at) => {
        const kind = (at % 2) as 0 | 1
        return { kind, email: await someone(kind === 1) }
      }),
    )
    for (let left = asked.length - 1; left > 0; left--) {
      const other = randomInt(left + 1)
      ;[asked[left], asked[other]] = [asked[other] as Asked, asked[left] as Asked]
    }
    const one = async ({ kind, email }: Asked): Promise<void> => {
      times[kind].push(await timeOf(action, email))
    }
    if (atOnce > 1) await Promise.all(asked.map(one))
    else {
      for (const each of asked) {
        await one(each)
        // What goes on after the response is over before the next one.
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
  }
  return times
}

/** The two-sided p-value of the test of Kolmogorov and Smirnov for two samples, by its limit for large ones. */
function kolmogorovSmirnov(one: readonly number[], other: readonly number[]): number {
  const all = [...new Set([...one, ...other])].toSorted((a, b) => a - b)
  const [first, second] = [one.toSorted((a, b) => a - b), other.toSorted((a, b) => a - b)]
  let [i, j, distance] = [0, 0, 0]
  for (const value of all) {
    while (i < first.length && (first[i] ?? 0) <= value) i++
    while (j < second.length && (second[j] ?? 0) <= value) j++
    distance = Math.max(distance, Math.abs(i / first.length - j / second.length))
  }
  const size = Math.sqrt((first.length * second.length) / (first.length + second.length))
  const x = (size + 0.12 + 0.11 / size) * distance
  let p = 0
  for (let k = 1; k <= 100; k++) p += 2 * (-1) ** (k - 1) * Math.exp(-2 * k * k * x * x)
  return Math.min(1, Math.max(0, x < 0.3 ? 1 : p))
}

const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0

// A stranger cannot tell a fresh process by its first responses.
const [warm] = [await someone(false)]
await adapter.createUser?.({ id: 'first', name: null, email: 'f@example.com', emailVerified: null })
await api.passwords.set('first', PASSWORD)
for (const action of actions) for (let i = 0; i < 20; i++) await timeOf(action, `${i}${warm}`)

console.log('| action | at once | p, each run | medians, with and without an account, ms |')
console.log('| --- | ---: | ---: | ---: |')
for (const action of actions) {
  for (const atOnce of [1, 20]) {
    const ps: string[] = []
    let medians = ''
    for (let run = 0; run < RUNS; run++) {
      const [without, having] = await sample(action, atOnce)
      ps.push(kolmogorovSmirnov(without, having).toFixed(3))
      medians = `${median(having).toFixed(2)}, ${median(without).toFixed(2)}`
    }
    console.log(`| \`${action.path}\` | ${atOnce} | ${ps.join(', ')} | ${medians} |`)
  }
}
