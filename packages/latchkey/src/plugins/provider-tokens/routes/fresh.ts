import type { Call, Host, SafeUrl } from '../../../entries/plugin.ts'

/** Seconds since the last proof of identity within which a user may disconnect an account. */
const FRESH = 600

/**
 * Checks that the user proved their identity recently.
 *
 * @param callbackUrl the target after a new sign-in.
 * @throws {Problem} `reauthentication_required`, which redirects users to the sign-in page.
 */
export async function needFresh(
  { current }: Pick<Call<unknown>, 'current'>,
  host: Host,
  callbackUrl: SafeUrl,
): Promise<void> {
  // Known if a plugin keeps sessions. Otherwise the session itself is the proof.
  const { auth_time: proved } = (await current?.facts.known()) ?? {}
  if (proved !== undefined) await host.sessions.needFresh(current, FRESH, callbackUrl)
}
