import type { Cookie } from '../../../http/cookies.ts'
import type { Host, SiteRequest } from '../../../plugin-kit.ts'

/** A sign-in of an app that began in this browser. */
export type Begun = {
  readonly client: string
  readonly redirectUri: string
  /** Of the app (RFC 7636). */
  readonly challenge: string
  readonly state: string
  /** When it began, seconds since the epoch. */
  readonly at: number
  /** Does the app want its user to prove once more who they are? */
  readonly mustSignIn: boolean
}

/** Seconds. */
const MAX_AGE = 600

/** What a browser keeps of the sign-in of an app, sealed: it goes on in the browser where it began. */
export function flowCookie(host: Pick<Host, 'sealer' | 'ports'>) {
  const sealer = host.sealer('native-flow')
  const specOf = ({ secure }: SiteRequest) => ({
    name: secure ? '__Host-latchkey.flow' : 'latchkey.flow',
    options: { httpOnly: true, sameSite: 'lax', path: '/', secure } as const,
  })
  return {
    async set(begun: Begun, request: SiteRequest): Promise<Cookie> {
      const { name, options } = specOf(request)
      const value = await sealer.seal(begun, { key: name, maxAge: MAX_AGE })
      return { name, value, options: { ...options, maxAge: MAX_AGE } }
    },
    /** @returns `undefined` where none began in this browser, or too long ago. */
    async read(request: SiteRequest): Promise<Begun | undefined> {
      const { name } = specOf(request)
      const value = request.cookies.get(name)
      if (value === undefined) return undefined
      const begun = (await sealer.open(value, { key: name })) as Begun | undefined
      // To the second: what is sealed is good for some seconds longer, since clocks differ.
      return begun && host.ports.now() / 1000 < begun.at + MAX_AGE ? begun : undefined
    },
    clear(request: SiteRequest): Cookie {
      const { name, options } = specOf(request)
      return { name, value: '', options: { ...options, maxAge: 0 } }
    },
  }
}
