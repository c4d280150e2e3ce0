import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { canBeNamed } from '../named-providers.ts'

/** An endpoint: its URL, or its URL and parameters. */
export type Endpoint = string | { url?: string; params?: Record<string, unknown> } | undefined

/** The members of a provider that the catalogue shows. */
export interface Description {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly issuer?: string
  readonly defaultIssuer?: string
  readonly authorization?: Endpoint
  readonly token?: Endpoint
  readonly userinfo?: Endpoint
  readonly checks?: readonly string[]
  readonly client?: Readonly<Record<string, unknown>>
  readonly profile?: (...args: never[]) => unknown
  readonly idToken?: boolean
  readonly endSession?: unknown
  readonly deprecated?: string
  readonly requires?: readonly string[]
}

/** A provider of the library's catalogue. */
export interface CatalogueEntry {
  /** Last segment of the import path. */
  readonly module: string
  readonly description: Description
  /** Other names by which people know the service. */
  readonly otherNames: readonly string[]
}

/**
 * Other names, by module. They are here because an application would load them with the provider and has no use for
 * them.
 */
export const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  '42-school': ['École 42', 'Intra'],
  apple: ['iCloud'],
  asgardeo: ['WSO2'],
  atlassian: ['Jira', 'Confluence', 'Trello'],
  'azure-ad': ['Azure AD', 'AAD'],
  'azure-ad-b2c': ['Azure Active Directory B2C'],
  'azure-devops': ['Visual Studio Team Services', 'VSTS'],
  'bankid-no': ['BankID'],
  battlenet: ['Blizzard'],
  'boxyhq-saml': ['SAML Jackson', 'Ory Polis'],
  cognito: ['AWS', 'Amazon Cognito'],
  credentials: ['password', 'user name'],
  'duende-identity-server6': ['Duende IdentityServer'],
  email: ['SMTP'],
  eveonline: ['EVE SSO'],
  facebook: ['Meta'],
  google: ['Gmail', 'Google Workspace', 'YouTube'],
  instagram: ['Meta'],
  kakao: ['KakaoTalk'],
  microsoft: ['Microsoft 365', 'Office 365', 'Outlook', 'Hotmail', 'Xbox'],
  'microsoft-entra-id': ['Azure AD', 'Azure Active Directory', 'Microsoft 365', 'Office 365'],
  nodemailer: ['SMTP', 'Nodemailer'],
  'ory-hydra': ['Ory Hydra'],
  passage: ['1Password'],
  passkey: ['FIDO2', 'Touch ID', 'Face ID', 'Windows Hello'],
  'ping-id': ['PingOne'],
  sendgrid: ['Twilio'],
  simplelogin: ['Proton'],
  threads: ['Meta'],
  twitter: ['X'],
  vipps: ['MobilePay'],
  vk: ['VKontakte'],
  webauthn: ['FIDO2', 'security key', 'YubiKey'],
  webex: ['Cisco'],
  wechat: ['Weixin'],
  wikimedia: ['Wikipedia', 'MediaWiki'],
}

/** Returns every provider that the library has a file for, sorted by name. */
export async function readCatalogue(): Promise<CatalogueEntry[]> {
  const folder = dirname(fileURLToPath(import.meta.resolve('latchkey/providers/define')))
  const modules = readdirSync(folder)
    .filter((file) => /^(?!define\.)[\w-]+\.[jt]s$/.test(file))
    .map((file) => file.slice(0, -'.js'.length))
    .sort()
  const entries = await Promise.all(
    modules.map(async (module): Promise<CatalogueEntry> => {
      const { default: made } = (await import(`latchkey/providers/${module}`)) as {
        default: (options: object) => Description
      }
      return { module, description: describe(made), otherNames: OTHER_NAMES[module] ?? [] }
    }),
  )
  return entries.sort((one, other) =>
    one.description.name.localeCompare(other.description.name, 'en'),
  )
}

function describe(made: (options: object) => Description): Description {
  try {
    return made({})
  } catch {
    // The factory for mail over SMTP requires these options.
    return made({ server: 'smtp://localhost:1025', from: 'no-reply@your.site' })
  }
}

/** Returns the name of a provider's type. */
export function kindOf({ type }: Description): string {
  return KINDS[type] ?? type
}

const KINDS: Readonly<Record<string, string>> = {
  oauth: 'OAuth 2.0',
  oidc: 'OpenID Connect',
  email: 'sign-in mail',
  credentials: 'credentials',
  webauthn: 'passkeys',
}

/** Whether visitors sign in at another site. */
export function isOAuth({ type }: Description): boolean {
  return type === 'oauth' || type === 'oidc'
}

/**
 * Returns what is registered at a provider so that it signs users out, or notifies the site after a sign-out: labels
 * and addresses.
 */
export function logoutAddressesOf({ id, type, endSession }: Description): [string, string][] {
  const isOpenId = type === 'oidc'
  if (endSession === false || (!isOpenId && endSession === undefined)) return []
  const base = 'https://your.site/auth/logout'
  return [
    ['post-logout URL', `${base}/return`],
    ...(isOpenId ? [['back-channel URL', `${base}/backchannel/${id}`] as [string, string]] : []),
  ]
}

/** Whether the service can set up the provider from its name and its environment variables alone. */
export function isTakenByName(description: Description): boolean {
  const { id, type } = description
  return canBeNamed(id, type) && (type === 'email' || optionsOf(description).length === 0)
}

/** Returns the environment variables of a provider. */
export function variablesOf(description: Description): string[] {
  const { id, type, issuer, requires = [] } = description
  const prefix = `AUTH_${id.toUpperCase().replaceAll('-', '_')}`
  if (type === 'email') return requires.includes('apiKey') ? [`${prefix}_KEY`] : []
  if (!isOAuth(description)) return []
  const places = placesOf(description)
  const needsIssuer = (type === 'oidc' && !issuer) || places.includes('issuer')
  return [
    `${prefix}_ID`,
    `${prefix}_SECRET`,
    ...(needsIssuer ? [`${prefix}_ISSUER`] : []),
    ...(places.includes('apiKey') ? [`${prefix}_KEY`] : []),
  ]
}

/** Returns the required options that no environment variable sets. */
export function optionsOf(description: Description): string[] {
  const { id, type, userinfo, requires = [] } = description
  if (type === 'credentials') return ['authorize']
  if (id === 'nodemailer' || id === 'email') return ['server', 'from']
  if (type === 'email') return requires.includes('transactionalId') ? ['transactionalId'] : ['from']
  const asks = type === 'oauth' && userinfo === undefined ? ['userinfo'] : []
  return [...placesOf(description), ...requires, ...asks].filter(
    (name) => !['issuer', 'clientId', 'clientSecret', 'apiKey'].includes(name),
  )
}

const PLACE = /\{([A-Za-z]\w*)\}/g

/** Returns the names of the placeholders in the provider's addresses. */
function placesOf({ issuer, authorization, token, userinfo }: Description): string[] {
  const texts = [issuer, authorization, token, userinfo].map((value) => JSON.stringify(value ?? ''))
  return [
    ...new Set(texts.flatMap((text) => [...text.matchAll(PLACE)].map(([, name = '']) => name))),
  ]
}
