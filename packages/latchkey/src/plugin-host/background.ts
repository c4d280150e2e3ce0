import { toError } from '../base/errors.ts'
import type { Ports } from '../base/ports.ts'
import type { Logger } from '../options/redacting-logger.ts'
import { Problem } from '../plugin/problem.ts'

/** Milliseconds for which a response waits for background work. */
const WAIT = 250
/** Milliseconds between the tries of a mail. */
const PAUSES: readonly number[] = [1000, 9000]
/** Milliseconds within which failures of one kind are logged once. */
const QUIET = 60_000

/** Receives work that continues after the response. */
export type WaitUntil = (work: Promise<unknown>) => void

/** When a failure was logged last, by kind of work; milliseconds since the epoch. */
export type LastFailures = Map<string, number>

/**
 * Runs work on which the response does not depend. The response waits for it for a moment, then the platform continues
 * it. Errors are only logged. Work whose mail cannot be sent is done again twice, within 10 seconds.
 *
 * @param kind names the work in the log.
 */
export async function inBackground(
  kind: string,
  work: () => Promise<unknown>,
  services: BackgroundServices,
): Promise<void> {
  const { waitUntil } = services
  const running = logged(kind, () => untilMailed(work), services)
  let timer: ReturnType<typeof setTimeout> | undefined
  const moment = new Promise<'later'>((resolve) => {
    timer = setTimeout(resolve, WAIT, 'later')
  })
  const first = await Promise.race([running, moment])
  clearTimeout(timer)
  if (first === 'later') waitUntil?.(running)
}

/**
 * Begins work in the next turn of the event loop, so that the time of the response does not show what it does. The platform
 * learns of it at once: at the edge, it may end the process with the response. Errors are only logged.
 *
 * @param kind names the work in the log.
 */
export function afterResponse(
  kind: string,
  work: () => Promise<unknown>,
  services: BackgroundServices,
): void {
  const next = new Promise<void>((resolve) => {
    setTimeout(resolve)
  })
  const running = next.then(() => logged(kind, work, services))
  services.waitUntil?.(running)
}

async function untilMailed(work: () => Promise<unknown>): Promise<unknown> {
  for (const pause of PAUSES) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'mail_unavailable')) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
  return work()
}

async function logged(
  kind: string,
  work: () => Promise<unknown>,
  { ports, logger, lastFailures }: BackgroundServices,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    const now = ports.now()
    const age = now - (lastFailures.get(kind) ?? Number.NEGATIVE_INFINITY)
    if (age >= 0 && age < QUIET) return
    lastFailures.set(kind, now)
    logger.error(toError(error))
  }
}

interface BackgroundServices {
  readonly ports: Pick<Ports, 'now'>
  readonly logger: Pick<Logger, 'error'>
  readonly lastFailures: LastFailures
  readonly waitUntil: WaitUntil | undefined
}
