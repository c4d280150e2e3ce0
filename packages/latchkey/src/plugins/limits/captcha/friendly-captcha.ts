/**
 * A challenge of Friendly Captcha, version 2. It does not say for which action an answer was given.
 *
 * @see https://developer.friendlycaptcha.com/docs/v2/
 * @module
 */

import { html, isJsonObject, optionError } from '../../../entries/plugin.ts'
import type { ChallengePort } from '../challenge/port.ts'
import { isFirstUse } from '../challenge/used-once.ts'
import {
  askService,
  CAPTCHA,
  type CaptchaOptions,
  checkCaptcha,
  isOfSite,
  scriptFrom,
} from './service.ts'

/** Options of {@link friendlyCaptcha}. */
export interface FriendlyCaptchaOptions extends CaptchaOptions {
  /** `eu` asks only servers in the European Union, which has to be booked. @default 'global' */
  readonly region?: 'global' | 'eu' | undefined
  /**
   * The URL of the script of the widget, for example of a copy on your own site.
   *
   * @default the copy of jsDelivr
   */
  readonly script?: string | undefined
}

const SCRIPT = 'https://cdn.jsdelivr.net/npm/@friendlycaptcha/sdk@1.0.2/site.compat.min.js'
/** Seconds in which an answer is not accepted again. */
const MAX_AGE = 900

/** @throws TypeError for a missing key, or a script that is not a URL. */
export function friendlyCaptcha(options: FriendlyCaptchaOptions): ChallengePort {
  checkCaptcha('friendlyCaptcha', options, { ...CAPTCHA, region: true, script: 'string' })
  const { siteKey, secretKey, whenUnavailable, region = 'global', script = SCRIPT } = options
  if (region !== 'global' && region !== 'eu') {
    throw optionError(
      `friendlyCaptcha(): \`region\` must be 'global' or 'eu', got ${JSON.stringify(region)}`,
      'limits',
    )
  }
  if (!URL.canParse(script)) {
    throw optionError(`friendlyCaptcha(): \`script\` must be a URL, got ${script}`, 'limits')
  }
  const service = `https://${region}.frcapi.com`
  return {
    id: 'friendly-captcha',
    field: 'frc-captcha-response',
    whenUnavailable,
    parameters: () => ({ siteKey }),
    render: () => ({
      field: html`<div class="frc-captcha" data-sitekey="${siteKey}" data-api-endpoint="${region}"></div>
${scriptFrom(script)}`,
      sources: { scripts: [new URL(script).origin], frames: [service], connects: [service] },
    }),
    async verify(answer, context) {
      const asked = await askService(
        `${service}/api/v2/captcha/siteverify`,
        {
          body: JSON.stringify({ response: answer, sitekey: siteKey }),
          headers: { 'content-type': 'application/json', 'x-api-key': secretKey },
        },
        context,
      )
      // The key is wrong, or too many answers were checked.
      if (!asked || [401, 403, 429].includes(asked.status)) return 'unavailable'
      const { success, data } = asked.json
      const { challenge } = isJsonObject(data) ? data : {}
      const origin = isJsonObject(challenge) ? String(challenge['origin'] ?? '') : ''
      const host = URL.canParse(origin) ? new URL(origin).hostname : origin
      const isOurs = success === true && isOfSite(host, options, context)
      return isOurs && (await isFirstUse(context.host, answer, MAX_AGE)) ? 'passed' : 'failed'
    },
  }
}
