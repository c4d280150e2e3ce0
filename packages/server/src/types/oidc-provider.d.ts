/** The part of `oidc-provider` that the development identity provider uses; the package has no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export interface Context {
    req: IncomingMessage
    res: ServerResponse
    status: number
    type: string
    body: unknown
    set(headers: Record<string, string>): void
  }

  export interface Account {
    accountId: string
    claims(): Promise<Record<string, unknown> & { sub: string }>
  }

  export interface Interaction {
    uid: string
    prompt: { name: string }
    params: Record<string, unknown> & { client_id: string; scope?: string; login_hint?: string }
  }

  export type InteractionResult =
    | { login: { accountId: string; remember: boolean }; consent: { grantId: string } }
    | { error: string; error_description: string }

  export interface Grant {
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }

  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>)
    proxy: boolean
    readonly Grant: new (members: {
      accountId: string
      clientId: string
    }) => Grant
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: InteractionResult,
      options: { mergeWithLastSubmission: boolean },
    ): Promise<void>
    on(event: string, listener: (context: Context, error: Error) => void): this
  }
}
