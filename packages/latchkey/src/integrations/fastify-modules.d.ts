// The part of Fastify's types that is used. The package is the one that the application installed.

declare module 'fastify' {
  export interface FastifyRequest {
    // Nothing else can be imported here.
    // oxlint-disable-next-line typescript/consistent-type-imports
    readonly raw: import('./node-http.ts').NodeRequest
    readonly originalUrl: string
    readonly protocol: string
    readonly host?: string
    readonly hostname: string
    readonly ip?: string
    readonly body: unknown
  }
  export interface FastifyReply {
    // oxlint-disable-next-line typescript/consistent-type-imports
    readonly raw: import('./node-http.ts').NodeResponse
    readonly sent: boolean
    /** Tells Fastify that the response is handled elsewhere. */
    hijack(): unknown
    code(status: number): this
    header(name: string, value: unknown): this
    removeHeader(name: string): this
    getHeader(name: string): number | string | string[] | undefined
    send(payload?: unknown): this
  }
  export interface FastifyInstance {
    decorateRequest(name: string): unknown
    addHook(
      name: 'onRequest',
      hook: (request: FastifyRequest, reply: FastifyReply) => Promise<void>,
    ): unknown
    removeAllContentTypeParsers(): void
    addContentTypeParser(
      type: string,
      options: { parseAs: 'buffer' },
      parser: (request: FastifyRequest, body: Uint8Array) => Promise<unknown>,
    ): unknown
    register(plugin: (scope: FastifyInstance) => Promise<void>): unknown
    route(route: {
      method: string[]
      url: string
      handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
    }): unknown
  }
}
