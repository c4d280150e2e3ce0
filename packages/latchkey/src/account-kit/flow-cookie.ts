import { encodeBase64url } from '../base/encoding/base64url.ts'
import { type Cookie, type CookieSpec, clearCookie, setCookie } from '../http/cookies/cookies.ts'
import type { SiteRequest } from '../http/request.ts'
import type { JsonObject } from '../model/record.ts'
import type { Host } from '../plugin/host.ts'

/** A step that a browser began and goes on with on another page. */
export interface FlowCookie<Data> {
  /** Keeps the step in this browser, beside those of other windows. @param maxAge seconds */
  keep(data: Data, request: SiteRequest, maxAge: number): Promise<readonly Cookie[]>
  /** Returns the step that began last in this browser; `undefined` if there is none. */
  newest(request: SiteRequest): Promise<Data | undefined>
  /** Returns the cookies that end all steps of this flow in this browser. */
  end(request: SiteRequest): Promise<readonly Cookie[]>
}

/** Steps in one browser. The oldest is dropped first. */
const MOST = 5

/** The last eight characters of the name tell the flows of a browser apart. */
const NAME = /^(?:__Host-)?latchkey\.flow\.[\w-]{8}$/

interface Kept {
  readonly name: string
  readonly flow: string
  readonly at: number
  readonly data: JsonObject
}

/**
 * Creates the cookies of one flow. They are sealed, and only this flow reads them.
 *
 * @param flow the name of the flow, for example `sign-up`.
 */
export function flowCookie<Data extends JsonObject>(
  { keys, ports }: Pick<Host, 'keys' | 'ports'>,
  flow: string,
): FlowCookie<Data> {
  const sealer = keys.sealer('flow')

  async function all(request: SiteRequest): Promise<Kept[]> {
    const names = request.cookies.names().filter((name) => NAME.test(name))
    const opened = await Promise.all(
      names.map(async (name) => {
        const value = request.cookies.get(name)
        const kept = value === undefined ? undefined : await sealer.open(value, { key: name })
        return kept && { name, ...(kept as unknown as Omit<Kept, 'name'>) }
      }),
    )
    return opened.flatMap((each) => each ?? []).sort((one, other) => other.at - one.at)
  }

  return {
    async keep(data, request, maxAge) {
      const now = ports.now()
      const name = nameOf(encodeBase64url(ports.random(6)), request)
      const value = await sealer.seal({ flow, at: now, data }, { key: name, maxAge })
      const spec = specOf(name, request, maxAge)
      const tooMany = (await all(request)).slice(MOST - 1)
      return [
        ...tooMany.map((each) => clearCookie(specOf(each.name, request))),
        setCookie(spec, value, new Date(now + maxAge * 1000)),
      ]
    },
    async newest(request) {
      return (await all(request)).find((each) => each.flow === flow)?.data as Data | undefined
    },
    async end(request) {
      const own = (await all(request)).filter((each) => each.flow === flow)
      return own.map(({ name }) => clearCookie(specOf(name, request)))
    },
  }
}

function nameOf(id: string, { secure }: SiteRequest): string {
  return `${secure ? '__Host-' : ''}latchkey.flow.${id}`
}

function specOf(name: string, { secure }: SiteRequest, maxAge?: number): CookieSpec {
  return {
    name,
    options: {
      httpOnly: true,
      sameSite: 'lax',
      path: '/',
      secure,
      ...(maxAge !== undefined && { maxAge }),
    },
  }
}
