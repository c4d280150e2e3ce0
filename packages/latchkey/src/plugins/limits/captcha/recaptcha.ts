/**
 * A challenge of Google reCAPTCHA: version 2 with a checkbox, or version 3 with a score.
 *
 * @see https://developers.google.com/recaptcha/
 * @module
 */

import { html, optionError } from '../../../entries/plugin.ts'
import type { ChallengePort } from '../challenge/port.ts'
import { isFirstUse } from '../challenge/used-once.ts'
import { scoreScript } from './scripts.generated.ts'
import {
  actionName,
  CAPTCHA,
  type CaptchaOptions,
  checkCaptcha,
  isOfSite,
  scriptFrom,
  siteVerify,
} from './service.ts'

/** Options of {@link recaptcha}. */
export interface RecaptchaOptions extends CaptchaOptions {
  /** The least score of version 3, from 0 to 1, for example 0.5. Without it, the keys are those of version 2. */
  readonly score?: number | undefined
}

const SCRIPTS = ['https://www.google.com/recaptcha/', 'https://www.gstatic.com/recaptcha/']
const FRAMES = ['https://www.google.com/recaptcha/', 'https://recaptcha.google.com/recaptcha/']
/** Seconds in which the service accepts an answer. */
const MAX_AGE = 120

/** @throws TypeError for a missing key, or a score that is not between 0 and 1. */
export function recaptcha(options: RecaptchaOptions): ChallengePort {
  checkCaptcha('recaptcha', options, { ...CAPTCHA, score: true })
  const { siteKey, secretKey, whenUnavailable, score: least } = options
  if (least !== undefined && !(typeof least === 'number' && least >= 0 && least <= 1)) {
    throw optionError(
      `recaptcha(): \`score\` must be a number from 0 to 1, got ${String(least)}`,
      'limits',
    )
  }
  const sources = { scripts: SCRIPTS, frames: FRAMES, connects: SCRIPTS.slice(0, 1) }
  return {
    id: 'recaptcha',
    field: 'g-recaptcha-response',
    whenUnavailable,
    parameters: ({ action }) => ({
      siteKey,
      ...(least !== undefined && { action: actionName(action) }),
    }),
    render: ({ action }) =>
      least === undefined
        ? {
            field: html`<div class="g-recaptcha" data-sitekey="${siteKey}"></div>
${scriptFrom(`${SCRIPTS[0]}api.js`)}`,
            sources,
          }
        : {
            field: html`<input type="hidden" name="g-recaptcha-response" data-score-key="${siteKey}" data-score-action="${actionName(action)}">
${scriptFrom(`${SCRIPTS[0]}api.js?render=${encodeURIComponent(siteKey)}`)}`,
            script: scoreScript,
            sources,
          },
    async verify(answer, context) {
      const fields = { secret: secretKey, response: answer, remoteip: context.address }
      const said = await siteVerify(`${SCRIPTS[0]}api/siteverify`, fields, context)
      if (typeof said === 'string') return said
      const isGood =
        least === undefined ||
        (said['action'] === actionName(context.action) && Number(said['score']) >= least)
      const isOurs = isGood && isOfSite(said['hostname'], options, context)
      return isOurs && (await isFirstUse(context.host, answer, MAX_AGE)) ? 'passed' : 'failed'
    },
  }
}
