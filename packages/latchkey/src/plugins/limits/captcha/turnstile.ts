/**
 * A challenge of Cloudflare Turnstile.
 *
 * @see https://developers.cloudflare.com/turnstile/
 * @module
 */

import { html } from '../../../entries/plugin.ts'
import type { ChallengePort } from '../challenge/port.ts'
import { isFirstUse } from '../challenge/used-once.ts'
import {
  actionName,
  CAPTCHA,
  type CaptchaOptions,
  checkCaptcha,
  isOfSite,
  scriptFrom,
  siteVerify,
} from './service.ts'

const SERVICE = 'https://challenges.cloudflare.com'
/** Seconds in which the service accepts an answer. */
const MAX_AGE = 300

/** @throws TypeError for a missing key. */
export function turnstile(options: CaptchaOptions): ChallengePort {
  checkCaptcha('turnstile', options, CAPTCHA)
  const { siteKey, secretKey, whenUnavailable } = options
  return {
    id: 'turnstile',
    field: 'cf-turnstile-response',
    whenUnavailable,
    parameters: ({ action }) => ({ siteKey, action: actionName(action) }),
    render: ({ action }) => ({
      field: html`<div class="cf-turnstile" data-sitekey="${siteKey}" data-action="${actionName(action)}"></div>
${scriptFrom(`${SERVICE}/turnstile/v0/api.js`)}`,
      sources: { scripts: [SERVICE], frames: [SERVICE] },
    }),
    async verify(answer, context) {
      const fields = { secret: secretKey, response: answer, remoteip: context.address }
      const said = await siteVerify(`${SERVICE}/turnstile/v0/siteverify`, fields, context)
      if (typeof said === 'string') return said
      const isOurs =
        isOfSite(said['hostname'], options, context) &&
        said['action'] === actionName(context.action)
      return isOurs && (await isFirstUse(context.host, answer, MAX_AGE)) ? 'passed' : 'failed'
    },
  }
}
