/**
 * A challenge without a third party: the browser computes for about a second, while its user fills in the form. Needs the
 * package `altcha-lib`.
 *
 * @module
 */

import type { Challenge, Payload } from 'altcha-lib/types'
import {
  checkOptions,
  html,
  isJsonObject,
  type JsonObject,
  loadOnce,
  type OptionRule,
  seconds,
  wholeNumber,
} from '../../../entries/plugin.ts'
import type { ChallengeContext, ChallengePort, ChallengeResult } from './port.ts'
import { workScript } from './script.generated.ts'
import { isFirstUse } from './used-once.ts'

/** Options of {@link proofOfWork}. */
export interface ProofOfWorkOptions {
  /** Rounds of the key derivation for each attempt of the browser. @default 1000 */
  readonly cost?: number | undefined
  /** The least and the greatest number of attempts that the browser needs. @default [500, 1500] */
  readonly range?: readonly [number, number] | undefined
  /** Seconds in which a challenge can be answered. @default 300 */
  readonly expiresIn?: number | undefined
}

/** Characters of an answer that are read. */
const LONGEST_ANSWER = 4096
const ALGORITHM = 'PBKDF2/SHA-256'
const RANGE: OptionRule = {
  expected: 'a list of two whole numbers from 1 to 1000000, the lower one first',
  fits: (value) =>
    Array.isArray(value) &&
    value.length === 2 &&
    value.every(wholeNumber(1, 1_000_000).fits) &&
    value[0] <= value[1],
}

/**
 * Creates a challenge whose answer is found by computing. The `altcha` widget can answer it, too.
 *
 * @throws TypeError for an invalid option.
 */
export function proofOfWork(options: ProofOfWorkOptions = {}): ChallengePort {
  checkOptions(
    'proofOfWork',
    options,
    { cost: wholeNumber(1, 100_000), range: RANGE, expiresIn: seconds(1, 86_400) },
    { section: 'limits' },
  )
  const { cost = 1000, range = [500, 1500], expiresIn = 300 } = options
  const [least, most] = range

  async function draw(context: ChallengeContext): Promise<Challenge> {
    const { action, factor, host } = context
    const { createChallenge, deriveKey } = await loadLibrary()
    const [secret] = await secretsOf(context)
    if (!secret) throw new TypeError('proofOfWork() needs `secret`')
    const random = new DataView(host.ports.random(4).slice().buffer).getUint32(0)
    return createChallenge({
      algorithm: ALGORITHM,
      deriveKey,
      cost: cost * factor,
      counter: least + (random % (most - least + 1)),
      data: { action },
      expiresAt: Math.floor(host.ports.now() / 1000) + expiresIn,
      ...secret,
    })
  }

  return {
    id: 'proof-of-work',
    field: 'challenge',
    otherFields: ['altcha'],
    async parameters(context) {
      return { ...(await draw(context)) } as unknown as JsonObject
    },
    render({ action, host, request }) {
      const url = host.site.path('limits/challenge', { action })
      return {
        field: html`<input type="hidden" name="challenge" data-work="${request.origin}${url}">`,
        script: workScript,
      }
    },
    async verify(answer, context): Promise<ChallengeResult> {
      const payload = payloadIn(answer)
      if (!payload) return 'failed'
      const { challenge, solution } = payload
      const { data, expiresAt = 0 } = challenge.parameters
      const left = expiresAt - context.host.ports.now() / 1000
      if (data?.['action'] !== context.action || left <= 0) return 'failed'
      if (!(await isSolved({ challenge, solution }, context))) return 'failed'
      const isFirst = await isFirstUse(context.host, String(challenge.signature), expiresIn)
      return isFirst ? 'passed' : 'failed'
    },
  }
}

interface Secrets {
  readonly hmacSignatureSecret: string
  readonly hmacKeySignatureSecret: string
}

/** Returns the secrets of the signature of a challenge, and of that of its answer. The first ones are for new challenges. */
async function secretsOf({ host }: ChallengeContext): Promise<Secrets[]> {
  const hex = (bytes: Uint8Array): string =>
    Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const [challenges, answers] = await Promise.all([
    host.keys.derive('challenge'),
    host.keys.derive('challenge-answer'),
  ])
  return challenges.map((key, at) => ({
    hmacSignatureSecret: hex(key),
    hmacKeySignatureSecret: hex(answers[at] ?? key),
  }))
}

async function isSolved(payload: Payload, context: ChallengeContext): Promise<boolean> {
  const { deriveKey, verifySolution } = await loadLibrary()
  for (const secrets of await secretsOf(context)) {
    const { verified } = await verifySolution({ ...payload, ...secrets, deriveKey })
    if (verified) return true
  }
  return false
}

/** Returns the content of an answer, as the page and the widget send it. */
function payloadIn(answer: string): Payload | undefined {
  if (answer.length > LONGEST_ANSWER) return undefined
  try {
    const payload: unknown = JSON.parse(atob(answer))
    const { challenge, solution } = Object(payload) as Partial<Record<string, unknown>>
    const { parameters, signature } = Object(challenge) as Partial<Record<string, unknown>>
    const isWhole =
      isJsonObject(parameters) && isJsonObject(solution) && typeof signature === 'string'
    return isWhole ? (payload as Payload) : undefined
  } catch {
    return undefined
  }
}

const loadLibrary = loadOnce(async () => {
  try {
    const [library, { deriveKey }] = await Promise.all([
      import('altcha-lib'),
      import('altcha-lib/algorithms/web/pbkdf2'),
    ])
    return { ...library, deriveKey }
  } catch (error) {
    throw new Error(
      'proofOfWork() needs the package altcha-lib: run npm install "altcha-lib@>=2.8.0 <3"',
      {
        cause: error,
      },
    )
  }
})
