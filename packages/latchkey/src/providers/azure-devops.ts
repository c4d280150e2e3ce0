/**
 * Sign in with Azure DevOps.
 *
 * The callback URL of an app is `https://your.site/auth/callback/azure-devops`, and the variables are
 * `AUTH_AZURE_DEVOPS_ID` and `AUTH_AZURE_DEVOPS_SECRET`.
 *
 * @deprecated Microsoft has accepted no new apps since April 2025. Use `microsoft-entra-id`.
 *
 * @see https://learn.microsoft.com/en-us/azure/devops/integrate/get-started/authentication/azure-devops-oauth
 * @module
 */

import type { TokenSet } from '../model/account.ts'
import type {
  OAuthConfig,
  OAuthUserConfig,
  TokenRequestContext,
} from '../options/provider-options.ts'
import { oauth } from './define.ts'

/** The members of the answer that the default user is made of. */
export interface AzureDevOpsProfile {
  id: string
  displayName: string
  emailAddress: string
  /** The picture as base64, of people who have one. */
  coreAttributes?: { Avatar?: { value?: { value?: string } } }
  [member: string]: unknown
}

/** What an application may say about Azure DevOps. */
export type AzureDevOpsOptions = OAuthUserConfig<AzureDevOpsProfile> & {
  /** @default 'vso.profile' */
  scope?: string | undefined
}

const HOST = 'https://app.vssps.visualstudio.com'

/** @deprecated Use `microsoft-entra-id`. */
export default function AzureDevOps(
  options: AzureDevOpsOptions = {},
): OAuthConfig<AzureDevOpsProfile> {
  const { scope = 'vso.profile', ...rest } = options
  return oauth<AzureDevOpsProfile>({
    id: 'azure-devops',
    name: 'Azure DevOps',
    deprecated:
      'Microsoft has accepted no new apps since April 2025, and ends Azure DevOps OAuth in 2026; use microsoft-entra-id',
    authorization: {
      url: `${HOST}/oauth2/authorize`,
      params: { response_type: 'Assertion', scope },
    },
    token: { url: `${HOST}/oauth2/token`, request: sendAssertion },
    userinfo: {
      url: `${HOST}/_apis/profile/profiles/me`,
      params: { details: 'true', coreAttributes: 'Avatar', 'api-version': '6.0' },
    },
    profile({ id, displayName, emailAddress, coreAttributes }) {
      const picture = coreAttributes?.Avatar?.value?.value
      return {
        id,
        name: displayName,
        email: emailAddress,
        image: picture ? `data:image/jpeg;base64,${picture}` : null,
      }
    },
  })(rest)
}

/** The code is an assertion here (RFC 7523 section 2.1), and so is the secret (section 2.2). */
async function sendAssertion(context: TokenRequestContext): Promise<{ tokens: TokenSet }> {
  const { provider, params, fetch: send } = context
  const body = new URLSearchParams({
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: provider.clientSecret ?? '',
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: params['code'] ?? '',
    redirect_uri: provider.callbackUrl,
  })
  const response = await send(`${HOST}/oauth2/token`, { method: 'POST', body })
  if (!response.ok) throw new TypeError(`the token endpoint returned status ${response.status}`)
  return { tokens: (await response.json()) as TokenSet }
}
