import { equal } from '../../base/crypto/equal.ts'

/** Seconds of a step. */
const PERIOD = 30
const DIGITS = 6
/** Steps before and after the current one whose codes are accepted (RFC 6238 section 5.2). */
const AROUND = [-1, 0, 1] as const

/** Returns the code of a step (RFC 4226 section 5.3): six digits. */
export async function hotp(secret: Uint8Array<ArrayBuffer>, step: number): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-1' }
  const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['sign'])
  const counter = new DataView(new ArrayBuffer(8))
  counter.setBigUint64(0, BigInt(step))
  const mac = new DataView(await crypto.subtle.sign('HMAC', key, counter.buffer))
  const bits = mac.getUint32(mac.getUint8(19) & 0x0f) & 0x7fff_ffff
  return String(bits % 10 ** DIGITS).padStart(DIGITS, '0')
}

/** Returns the step of a time (RFC 6238 section 4). @param time milliseconds since the epoch */
export function stepAt(time: number): number {
  return Math.floor(time / 1000 / PERIOD)
}

/**
 * Returns the step around a time whose code was typed; `undefined` for a wrong code. The work is the same for every code.
 *
 * @param time milliseconds since the epoch
 */
export async function stepOf(
  code: string,
  secret: Uint8Array<ArrayBuffer>,
  time: number,
): Promise<number | undefined> {
  const steps = AROUND.map((distance) => Math.max(0, stepAt(time) + distance))
  const codes = await Promise.all(steps.map((step) => hotp(secret, step)))
  const fits = codes.map((each) => equal(each, code))
  return steps.findLast((_, at) => fits[at])
}
