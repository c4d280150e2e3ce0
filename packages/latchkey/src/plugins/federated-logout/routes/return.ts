import { type Answer, type Call, trusted } from '../../../entries/plugin.ts'
import { type Away, LOGOUT_MAX_AGE, markSignedOut, readAway, writeAway } from '../cookies.ts'
import type { Own } from '../own.ts'

/** Milliseconds in which a visitor may return from a provider that does not return the state. */
const WITHOUT_STATE = 120_000

/** `GET logout/return`: where the provider redirects the visitor. It ends no session. */
export async function comeBack({ request }: Call, { host, settings }: Own): Promise<Answer> {
  const now = host.ports.now()
  const all = (await readAway(request, host)).filter(({ at }) => now - at < LOGOUT_MAX_AGE * 1000)
  const states = request.query.getAll('state')
  const found = states.length === 0 ? withoutState(all, now) : withState(all, states)
  if (!found) return { to: trusted(settings.returnTo) }
  const rest = await writeAway(
    request,
    all.filter((each) => each !== found),
    host,
  )
  return {
    to: await host.site.resolveRedirect(found.target, request.origin),
    cookies: [rest, markSignedOut(request, 'everywhere')],
  }
}

function withState(all: readonly Away[], [state, ...more]: readonly string[]): Away | undefined {
  return more.length > 0 ? undefined : all.find((each) => each.state === state)
}

/** The newest, since the response does not name one. */
function withoutState([newest]: readonly Away[], now: number): Away | undefined {
  const isUsable = newest && !newest.keepsState && now - newest.at < WITHOUT_STATE
  return isUsable ? newest : undefined
}
