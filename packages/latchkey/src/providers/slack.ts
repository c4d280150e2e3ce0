/**
 * Sign in with Slack.
 *
 * Create an app with "Sign in with Slack". Give it the callback URL
 * `https://your.site/auth/callback/slack`, then set `AUTH_SLACK_ID` and `AUTH_SLACK_SECRET`.
 *
 * The callback URL must be https, also in development.
 *
 * @see https://docs.slack.dev/authentication/sign-in-with-slack/
 * @module
 */

import { type OIDCProvider, oidc } from './define.ts'

/** The claims of the ID token. */
export interface SlackProfile {
  sub: string
  name?: string
  email?: string
  email_verified?: boolean
  picture?: string
  /** In the answer of the userinfo endpoint, which `idToken: false` asks. */
  ok?: boolean
  'https://slack.com/user_id'?: string
  'https://slack.com/team_id'?: string
  date_email_verified?: number
  given_name?: string
  family_name?: string
  locale?: string
  'https://slack.com/team_name'?: string
  'https://slack.com/team_domain'?: string
  'https://slack.com/user_image_24'?: string
  'https://slack.com/user_image_32'?: string
  'https://slack.com/user_image_48'?: string
  'https://slack.com/user_image_72'?: string
  'https://slack.com/user_image_192'?: string
  'https://slack.com/user_image_512'?: string
  'https://slack.com/user_image_1024'?: string
  'https://slack.com/team_image_34'?: string
  'https://slack.com/team_image_44'?: string
  'https://slack.com/team_image_68'?: string
  'https://slack.com/team_image_88'?: string
  'https://slack.com/team_image_102'?: string
  'https://slack.com/team_image_132'?: string
  'https://slack.com/team_image_230'?: string
  'https://slack.com/team_image_default'?: boolean
  [claim: string]: unknown
}

const slack: OIDCProvider<SlackProfile> = oidc({
  id: 'slack',
  name: 'Slack',
  issuer: 'https://slack.com',
  checks: ['nonce'],
  // https://api.slack.com/authentication/rotation, read 2026-11-23: where rotation is on, a refresh token is revoked when
  // it is used. Else tokens do not end.
  tokens: { rotation: 'strict' },
  style: { brandColor: '#611f69' },
})

export default slack
