/**
 * Measures how strong password hashes can be on this machine.
 *
 * @module
 */

import { platform as platformOfRuntime } from '#password-engine'
import { optionError } from '../../../entries/plugin.ts'
import type { HashPlatform, NativeArgon2 } from './engine/platform.ts'
import { hashSettingsOf, MOST_PASSES } from './hash-settings.ts'
import { turnLimitsOf } from './turn-limits.ts'

/** What {@link calibrate} aims at. */
export interface CalibrationTarget {
  /** Milliseconds that one hash may take. @default 250 */
  readonly target?: number | undefined
  /** The most memory of one hash, MiB. @default 64 */
  readonly memory?: number | undefined
  /** Returns milliseconds from any starting point, for example `performance.now()`. */
  monotonic(): number
}

/** The strongest parameters below the target, and what they cost. */
export interface Calibration {
  /** Options for `passwords()`. */
  readonly hash: { readonly memory: number; readonly passes: number; readonly parallelism: number }
  readonly engine: NativeArgon2['name']
  /** Milliseconds of one hash. */
  readonly milliseconds: number
  /** Whether even the weakest parameters that are allowed take longer than the target. */
  readonly isAboveTarget: boolean
  /** Number of hashes that this process computes at once. */
  readonly concurrency: number
  /** What sign-ins that arrive together cost. */
  readonly together: readonly TogetherCost[]
}

/** What a number of sign-ins that arrive together costs. */
export interface TogetherCost {
  readonly signIns: number
  /** Milliseconds until the last one is served. */
  readonly milliseconds: number
  /** KiB that hashing takes at most. */
  readonly memory: number
  /** Number of sign-ins that are refused as busy, since they would wait too long or the queue is full. */
  readonly refused: number
}

const RUNS = 3
const LEAST_MEMORY = 7168
/** Passes with which the least memory is strong enough. */
const LEAST_PASSES = 5
const TOGETHER = [10, 100] as const

/**
 * Measures argon2id on this machine, and returns the strongest parameters with which a hash takes no longer than the
 * target: the most memory, and then the most passes.
 *
 * @throws TypeError for an invalid target.
 * @throws if this process has no native argon2: the parameters of scrypt are fixed.
 */
export async function calibrate(
  { target = 250, memory = 64, monotonic }: CalibrationTarget,
  platform: HashPlatform = platformOfRuntime,
): Promise<Calibration> {
  whole('target', target, 1, 10_000, 'milliseconds')
  whole('memory', memory, LEAST_MEMORY / 1024, 1024, 'MiB')
  const native = await platform.argon2(19)
  if (!native) {
    throw new Error(
      'this process has no argon2, and the parameters of scrypt are fixed: use Node.js 24.7 or later, or run npm install @node-rs/argon2',
    )
  }
  const measure = (kib: number, passes: number, atOnce = 1): Promise<number> =>
    median(async () => {
      const start = monotonic()
      await Promise.all(Array.from({ length: atOnce }, () => hashOnce(native, kib, passes)))
      return monotonic() - start
    })
  // The first use of memory takes longer than all later ones.
  await hashOnce(native, memory * 1024, 1)
  const found = await strongest(memory * 1024, target, measure)
  const hash = { memory: found.memory, passes: found.passes, parallelism: 1 }
  const { hashing } = hashSettingsOf({ hash })
  const { concurrency, queue, patience } = turnLimitsOf({ hash, hashing }, platform)
  const batch = await measure(hash.memory, hash.passes, concurrency)
  const together = TOGETHER.map((signIns) => {
    const inTime = Math.max(1, Math.floor((patience * 1000) / batch) + 1) * concurrency
    const served = Math.min(signIns, inTime, queue + concurrency)
    return {
      signIns,
      milliseconds: Math.ceil(served / concurrency) * batch,
      memory: Math.min(served, concurrency) * hash.memory,
      refused: signIns - served,
    }
  })
  const { milliseconds } = found
  const isAboveTarget = milliseconds > target
  return { hash, engine: native.name, milliseconds, isAboveTarget, concurrency, together }
}

interface Measured {
  readonly memory: number
  readonly passes: number
  readonly milliseconds: number
}

/** Memory counts more than passes, since it is what an attacker has to buy for each guess (RFC 9106 section 4). */
async function strongest(
  most: number,
  target: number,
  measure: (kib: number, passes: number) => Promise<number>,
): Promise<Measured> {
  for (let memory = most; memory >= LEAST_MEMORY; memory = Math.floor(memory / 2)) {
    const leastPasses = Math.ceil((LEAST_MEMORY * LEAST_PASSES) / memory)
    const one = (await measure(memory, leastPasses)) / leastPasses
    for (
      let passes = Math.min(MOST_PASSES, Math.floor(target / one));
      passes >= leastPasses;
      passes--
    ) {
      const milliseconds = await measure(memory, passes)
      if (milliseconds <= target) return { memory, passes, milliseconds }
    }
  }
  const least = { memory: LEAST_MEMORY, passes: LEAST_PASSES }
  return { ...least, milliseconds: await measure(least.memory, least.passes) }
}

async function hashOnce({ hash }: NativeArgon2, memory: number, passes: number): Promise<void> {
  const [password, salt] = [new Uint8Array(24), new Uint8Array(16)]
  const parameters = {
    type: 'argon2id',
    version: 19,
    memory,
    passes,
    parallelism: 1,
    salt,
  } as const
  await hash(password, parameters, 32)
}

async function median(measure: () => Promise<number>): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < RUNS; i++) times.push(await measure())
  return times.sort((a, b) => a - b)[Math.floor(RUNS / 2)] ?? 0
}

function whole(name: string, value: unknown, least: number, most: number, unit: string): void {
  if (Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most) return
  throw optionError(
    `calibrate(): \`${name}\` must be whole ${unit} from ${least} to ${most}, got ${String(value)}`,
    'passwords',
  )
}
