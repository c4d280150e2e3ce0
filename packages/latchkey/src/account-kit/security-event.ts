import type { EventMessages } from '../options/events.ts'
import type { Host } from '../plugin/host.ts'

/** An event without the values that are the same for all. */
export type SecurityEvent = Omit<EventMessages['security'], 'at' | 'address'> & {
  /** The address or name as typed, of which the event has a keyed hash. Leave it out if there is a user. */
  readonly typed?: string | undefined
}

/** Emits the event `security`. */
export async function tellSecurity(
  { keys, ports, tell }: Pick<Host, 'keys' | 'ports' | 'tell'>,
  { typed, ...event }: SecurityEvent,
): Promise<void> {
  const address = typed === undefined ? undefined : await keys.hash('audit', typed)
  await tell('security', {
    ...event,
    ...(address !== undefined && { address }),
    at: new Date(ports.now()),
  })
}
