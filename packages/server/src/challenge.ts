import type { ChallengePort } from 'latchkey/plugins/limits'
import { friendlyCaptcha } from 'latchkey/plugins/limits/friendly-captcha'
import { hcaptcha } from 'latchkey/plugins/limits/hcaptcha'
import { proofOfWork } from 'latchkey/plugins/limits/proof-of-work'
import { recaptcha } from 'latchkey/plugins/limits/recaptcha'
import { turnstile } from 'latchkey/plugins/limits/turnstile'
import type { Settings } from './settings.ts'
import { UserError } from './user-error.ts'

const SERVICES = { turnstile, hcaptcha, recaptcha, 'friendly-captcha': friendlyCaptcha }

/**
 * Returns the challenge of suspicious attempts.
 *
 * @throws {UserError} if a service has no keys.
 */
export function challengeOf({
  challenge,
  challengeSite: siteKey,
  challengeSecret: secretKey,
}: Pick<Settings, 'challenge' | 'challengeSite' | 'challengeSecret'>): ChallengePort | false {
  if (challenge === 'off') return false
  const computed = proofOfWork()
  if (challenge === 'proof-of-work') return computed
  if (siteKey === undefined || secretKey === undefined) {
    throw new UserError(
      `challenge: ${challenge} needs the keys of your site; set LATCHKEY_CHALLENGE_SITE and LATCHKEY_CHALLENGE_SECRET`,
    )
  }
  return SERVICES[challenge]({ siteKey, secretKey, whenUnavailable: computed })
}
