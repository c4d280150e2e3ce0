/**
 * Sign in with Discord.
 *
 * Register an application with the callback URL `https://your.site/auth/callback/discord`, then set
 * `AUTH_DISCORD_ID` and `AUTH_DISCORD_SECRET`.
 *
 * @see https://discord.com/developers/docs/topics/oauth2
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/discord.ts'

/** The members of the answer. */
export interface DiscordProfile {
  /** A number of 64 bits, as text. */
  id: string
  username: string
  /** `'0'` for people with one of the newer user names. */
  discriminator: string
  global_name: string | null
  /** Hash of the picture, of people who have one. */
  avatar: string | null
  /** With the scope `email`, as whether it is proven. */
  email?: string | null
  verified?: boolean
  bot?: boolean
  system?: boolean
  mfa_enabled: boolean
  banner: string | null
  accent_color: number | null
  locale: string
  /** Bits. */
  flags: number
  premium_type: number
  public_flags: number
  banner_color?: string | null
  display_name?: string | null
  avatar_decoration?: string | null
  [member: string]: unknown
}

const discord: OAuthProvider<DiscordProfile> = oauth({
  id: 'discord',
  name: 'Discord',
  authorization: {
    url: 'https://discord.com/api/oauth2/authorize',
    params: { scope: 'identify email' },
  },
  token: 'https://discord.com/api/oauth2/token',
  userinfo: 'https://discord.com/api/users/@me',
  emailProofClaim: 'verified',
  profile: (profile) => ({
    id: profile.id,
    name: profile.global_name ?? profile.username ?? null,
    email: profile.verified === false ? null : (profile.email ?? null),
    image: pictureOf(profile),
  }),
  // https://github.com/discord/discord-api-docs/pull/7670, read 2026-11-23: revoking one token ends all that the
  // application has of the user.
  tokens: { revocation: 'https://discord.com/api/oauth2/token/revoke', revokesAll: true },
  style: { brandColor: '#5865f2', mark },
})

export default discord

const CDN = 'https://cdn.discordapp.com'

function pictureOf({ id, avatar, discriminator }: DiscordProfile): string {
  if (avatar) {
    const extension = avatar.startsWith('a_') ? 'gif' : 'png'
    return `${CDN}/avatars/${id}/${avatar}.${extension}`
  }
  const kind = discriminator === '0' ? ofNewName(id) : Number(discriminator ?? 0) % 5
  return `${CDN}/embed/avatars/${kind}.png`
}

/** One of six pictures, by when the account was made. */
function ofNewName(id: string): number {
  return /^\d+$/.test(id) ? Number((BigInt(id) >> 22n) % 6n) : 0
}
