import type { Call, Host, SafeUrl } from '../../../entries/plugin.ts'

/** Seconds since the last proof within which somebody may disconnect an account. */
const FRESH = 600

/**
 * Checks that the user proved lately who they are.
 *
 * @param callbackUrl where people come back to after they signed in again.
 * @throws {Problem} `reauthentication_required`, which leads people to the sign-in page.
 */
export async function needFresh(
  { current }: Pick<Call<unknown>, 'current'>,
  host: Host,
  callbackUrl: SafeUrl,
): Promise<void> {
  // Known where a plugin keeps sessions; else everybody proves it with the session alone.
  const { auth_time: proved } = (await current?.facts.known()) ?? {}
  if (proved !== undefined) await host.sessions.needFresh(current, FRESH, callbackUrl)
}
