/**
 * Sign in with Slack.
 *
 * Create an app with "Sign in with Slack". Give it the callback URL
 * `https://your.site/auth/callback/slack`, then set `AUTH_SLACK_ID` and `AUTH_SLACK_SECRET`.
 *
 * The callback URL must be https, on your own machine too.
 *
 * @see https://docs.slack.dev/authentication/sign-in-with-slack/
 * @module
 */

import { type OIDCProvider, oidc } from './define.ts'

/** The claims of the ID token that the default user is made of. */
export interface SlackProfile {
  sub: string
  name?: string
  email?: string
  email_verified?: boolean
  picture?: string
  [claim: string]: unknown
}

const slack: OIDCProvider<SlackProfile> = oidc({
  id: 'slack',
  name: 'Slack',
  issuer: 'https://slack.com',
  checks: ['nonce'],
  style: { brandColor: '#611f69' },
})

export default slack
