/**
 * A challenge of hCaptcha. It does not say for which action an answer was given.
 *
 * @see https://docs.hcaptcha.com/
 * @module
 */

import { html } from '../../../entries/plugin.ts'
import type { ChallengePort } from '../challenge/port.ts'
import { isFirstUse } from '../challenge/used-once.ts'
import {
  CAPTCHA,
  type CaptchaOptions,
  checkCaptcha,
  isOfSite,
  scriptFrom,
  siteVerify,
} from './service.ts'

const SOURCES = ['https://hcaptcha.com', 'https://*.hcaptcha.com']
/** Seconds in which the service accepts an answer. */
const MAX_AGE = 300

/** @throws TypeError for a missing key. */
export function hcaptcha(options: CaptchaOptions): ChallengePort {
  checkCaptcha('hcaptcha', options, CAPTCHA)
  const { siteKey, secretKey, whenUnavailable } = options
  return {
    id: 'hcaptcha',
    field: 'h-captcha-response',
    // Its widget also writes the field of the service that it can take the place of.
    otherFields: ['g-recaptcha-response'],
    whenUnavailable,
    parameters: () => ({ siteKey }),
    render: () => ({
      field: html`<div class="h-captcha" data-sitekey="${siteKey}"></div>
${scriptFrom('https://js.hcaptcha.com/1/api.js')}`,
      sources: { scripts: SOURCES, frames: SOURCES, styles: SOURCES, connects: SOURCES },
    }),
    async verify(answer, context) {
      const fields = {
        secret: secretKey,
        response: answer,
        sitekey: siteKey,
        remoteip: context.address,
      }
      const said = await siteVerify('https://api.hcaptcha.com/siteverify', fields, context)
      if (typeof said === 'string') return said
      const isOurs = isOfSite(said['hostname'], options, context)
      return isOurs && (await isFirstUse(context.host, answer, MAX_AGE)) ? 'passed' : 'failed'
    },
  }
}
