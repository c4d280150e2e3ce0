import { type AuthClient, createAuthClient } from './client.ts'

export type {
  AuthorizationParams as SignInAuthorizationParams,
  SignInOptions,
  SignInResult as SignInResponse,
  SignOutOptions as SignOutParams,
  SignOutResult as SignOutResponse,
} from './client.ts'

const client = createAuthClient({ basePath: '/api/auth' })

/** Signs in with the service that `latchkey/solid-start` mounts. {@link AuthClient.signIn} */
export const signIn: AuthClient['signIn'] = client.signIn

/** {@link AuthClient.signOut} */
export const signOut: AuthClient['signOut'] = client.signOut
