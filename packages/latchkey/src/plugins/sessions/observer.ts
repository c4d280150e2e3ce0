import { type Host, type SessionRequest, toError } from '../../entries/plugin.ts'
import type { DeviceFacts } from './device.ts'
import type { Settings } from './settings.ts'

/** The part of a request that shows its origin. */
export type Seen = Pick<SessionRequest, 'headers' | 'original'>

/** Reads the origin of a request. Failures are logged, and the value is then unknown. */
export interface Observer {
  device(request: Seen): Promise<DeviceFacts>
  /** @returns the network of the client; `undefined` without the option `address`. */
  network(request: Seen): Promise<string | undefined>
}

export function createObserver(
  { site, logger }: Pick<Host, 'site' | 'logger'>,
  { address: asked }: Pick<Settings, 'address'>,
): Observer {
  return {
    async device({ headers, original }) {
      const { deviceOf } = await import('./device.ts')
      try {
        return await deviceOf(headers ?? original?.headers ?? new Headers())
      } catch (error) {
        logger.error(toError(error))
        return { kind: 'unknown' }
      }
    },

    async network({ original }) {
      if (asked === false || !original) return undefined
      try {
        const address = await (asked === true ? site.clientAddress(original) : asked(original))
        return address && (await (await import('./network.ts')).networkOf(address))
      } catch (error) {
        logger.error(toError(error))
        return undefined
      }
    },
  }
}
