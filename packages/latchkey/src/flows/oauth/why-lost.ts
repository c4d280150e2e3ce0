import type { AuthRequest } from '../../http/request.ts'
import { whyUnopened } from '../../protocols/sealing/sealer.ts'
import type { OAuthFlow } from './oauth-flow.ts'

/** The cookie of the sign-in that a response belongs to. */
export interface LookedFor {
  readonly name: string
  /** The purpose of its seal. */
  readonly purpose: string
  /** Its name with the other scheme (http or https). */
  readonly overOther: string
  /** The prefix of the names of these cookies. */
  readonly prefix: string
}

/** The reason why a response belongs to no sign-in of this browser, and what to check, for the log. */
export interface Lost {
  readonly why: string
  /** Whether the site is probably not set up correctly. Otherwise, the visitor may have waited or gone back. */
  readonly isFault: boolean
}

export async function whyLost(
  { plan, id }: OAuthFlow,
  cookie: LookedFor | undefined,
  { cookies, origin, secure, method }: AuthRequest,
): Promise<Lost> {
  if (!cookie) return accident(`the response of ${id} has no \`state\`, or more than one`)
  const { name, purpose, overOther, prefix } = cookie
  const kept = cookies.get(name)
  if (kept !== undefined) {
    const sealer = plan.sealer(purpose)
    const opened = await sealer.open(kept, plan.ports)
    if (opened)
      return fault(`it began with the provider ${JSON.stringify(opened.claims['provider'])}`)
    const why = `its cookie cannot be opened: ${await whyUnopened(kept, plan.secrets, purpose, plan.ports)}`
    const hasExpired = (await sealer.open(kept, { now: () => 0 })) !== undefined
    return hasExpired ? accident(why) : fault(why)
  }
  if (cookies.get(overOther) !== undefined) {
    const [began, ended] = secure ? ['http', 'https'] : ['https', 'http']
    return fault(
      `it began over ${began} (cookie ${overOther}), and the response came over ${ended} (cookie ${name}); let the proxy send \`x-forwarded-proto\` and set \`trustHost\`, or set AUTH_URL`,
    )
  }
  const names = cookies.names()
  if (names.length === 0) {
    return accident(
      `the browser sent no cookies with this ${method} to ${origin}; sign-ins must begin at this origin, with cookies allowed (www.app.example is not app.example, localhost is not 127.0.0.1)`,
    )
  }
  const open = names.filter((each) => each.startsWith(prefix)).length
  return accident(
    open > 0
      ? `${open} other sign-ins are open in this browser; this one already ended, took too long, or began in another browser`
      : `the browser sent ${names.length} cookies to ${origin}, but not ${name}; the sign-in took too long, or began at another origin or in another browser`,
  )
}

const fault = (why: string): Lost => ({ why, isFault: true })
const accident = (why: string): Lost => ({ why, isFault: false })
