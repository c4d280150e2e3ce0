import type { Awaitable } from '../base/awaitable.ts'
import type { Cookie } from '../http/cookies/cookies.ts'
import type { Html } from '../http/html.ts'
import type { AuthMethod, SiteRequest } from '../http/request.ts'
import type { SafeUrl } from '../http/safe-url.ts'
import type { JsonObject } from '../model/record.ts'
import type { PluginTexts } from '../options/plugin-option.ts'
import type { Content, Tone } from '../page-kit/components.ts'
import type { IconName } from '../page-kit/icon-names.ts'
import type { CurrentSession } from '../session/strategy.ts'
import type { ChallengePart } from './attempts.ts'
import type { PendingSignIn } from './hooks.ts'
import type { Notice } from './notice.ts'

/** The allowed callers of a route: everybody, signed-in users, or users who wait at a gate. */
export type Who = 'anyone' | 'user' | 'pending'

/**
 * The kind of caller of a route:
 *
 * - `people`: browsers that show a page, and scripts. A refusal is a page or JSON, depending on the request.
 * - `scripts`: code in a page of the site. The response is always JSON.
 * - `servers`: programs without a session. The route reads and sets no cookie, does not check the origin, and
 *   never returns a page. Its `who` is `anyone`.
 * - `protocol`: clients of an external standard. Like `servers`, but requests are not counted as POST requests, the body
 *   is unread (`request.original`), and there is no `input`. The response may be a page, and a browser is redirected.
 */
export type Callers = 'people' | 'scripts' | 'servers' | 'protocol'

/** The routes of one path. */
export type PluginMethods<Own> = Readonly<Partial<Record<AuthMethod, PluginRoute<Own>>>>

/** One method of one path. */
export interface PluginRoute<Own = unknown> {
  /** Other callers get 401; a browser that requests a page is redirected to the sign-in page. */
  readonly who: Who | readonly Who[]
  /** @default 'people' */
  readonly callers?: Callers | undefined
  /**
   * Counted by the plugin `limits`, before anything else happens: by network or for the site. The configuration
   * has to have rules of this name. Who is signed in, and what was sent, is not known yet: see `host.limit`.
   */
  readonly limit?: string
  /**
   * Only for users whose address is proved, on a site that lets people in before (`verify: 'after'` of `passwords`). Others get
   * 403 `address_unproved`. Set it for what must not be there when the owner of the address comes later, for example a new
   * way to sign in. A sign-in that waits at a gate passes.
   */
  readonly proved?: true | undefined
  /** Loads the schema of the fields: those of the body, or of the query of a GET. Without it, none may be sent. */
  readonly input?: () => Promise<StandardSchema>
  /** Fields that no route receives, such as `locale`, but this one has in its `input`. */
  readonly takes?: readonly string[] | undefined
  /**
   * Maximum size of the body in bytes; a larger body gets 413.
   *
   * @default 65536
   */
  readonly bodyLimit?: number | undefined
  /**
   * The path of the page with the form that is sent here, without a leading slash: a route of the same plugin. See `refusedForms`
   * of the plugin.
   *
   * @default the path of this route, if it has a page
   */
  readonly page?: string | undefined
  /** Loads the function of the route. */
  readonly run: () => Promise<RunRoute<Own, never>>
}

// The schema decides what the input is.
// oxlint-disable-next-line typescript/no-explicit-any
/** The function of a route: `RunRoute<Terms, { code: string }>` if `input` has a code. */
export type RunRoute<Own = unknown, Input = NoInput> = (
  call: Call<Input>,
  own: Own,
) => Awaitable<Answer>

/** The input of a route without `input`. */
type NoInput = Readonly<Record<string, never>>

/** A validated request for a route. */
export interface Call<Input = NoInput> {
  readonly request: SiteRequest
  readonly input: Input
  /** The last segment of the path, if the route ends with a star. */
  readonly rest: string | undefined
  /** The current user and session; always present on a route for `user`. */
  readonly current: CurrentSession | null
  /** The sign-in that waits at a gate in this browser, on a route for `pending`. */
  readonly pending: PendingSignIn | undefined
  /** The hidden field with the CSRF token, which every form of a page needs. */
  readonly csrfField: Html
  /** The callback URL, validated by the `redirect` callback; the default is the origin of the site. */
  readonly callbackUrl: SafeUrl
  /** What the response that redirected the browser to this page says about it. It is shown once. */
  readonly notice?: Notice | undefined
}

/** Makes a route of a plugin whose functions take `Own`: `load` and `input` run with its first request. `page` is that of {@link PluginRoute}. */
export type MakeLazyRoute<Own> = <Input>(
  who: Who | readonly Who[],
  load: () => Promise<(call: Call<Input>, own: Own) => Awaitable<Answer>>,
  input?: () => Promise<StandardSchema>,
  page?: string,
) => PluginRoute<() => Promise<Own>>

/**
 * Returns what makes the routes of a plugin whose parts are loaded with its first request: `setUp` returns a function that
 * loads what the routes share, and each route gets the result.
 *
 * @param common of each route.
 */
export function lazyRoutes<Own>(
  common: Pick<PluginRoute, 'bodyLimit' | 'proved'> = {},
): MakeLazyRoute<Own> {
  return (who, load, input, page) => ({
    ...common,
    who,
    ...(input && { input }),
    ...(page !== undefined && { page }),
    run: async () => {
      const run = await load()
      return async (call: Parameters<typeof run>[0], own: () => Promise<Own>) =>
        run(call, await own())
    },
  })
}

/** A response as data. A form gets the page or the redirect, a program the JSON. */
export interface Answer {
  readonly json?: JsonObject | undefined
  /** Bytes for programs, or a stream of them; the headers have their content type. */
  readonly bytes?: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>> | undefined
  readonly page?: AnswerPage | undefined
  /** A page of the plugin. */
  readonly to?: SafeUrl | undefined
  /**
   * The notice of the page `to`. `withJson`: also if the response is JSON, for a script of a page that opens the page `to`
   * itself.
   */
  readonly notice?: (Notice & { readonly withJson?: boolean }) | undefined
  /** With 204, programs receive no content, and forms the page or the redirect. @default 200 */
  readonly status?: number | undefined
  readonly cookies?: readonly Cookie[] | undefined
  /** Further headers, by their lower-case names. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** A page with the layout of the built-in pages. */
export interface AnswerPage {
  /** The heading, and with the name of the site the title of the document. */
  readonly title: string
  /** One or two sentences below the heading. */
  readonly lead?: Content
  /** A message below the heading, made with `notice`. */
  readonly notice?: Content
  /** What follows. With an `h1` of its own, the page has no other heading. */
  readonly body: Html
  /** The last line of a card: the other road. */
  readonly footer?: Content
  /** A mark on the tile that says how something ended. */
  readonly seal?: { readonly icon: IconName; readonly tone?: Tone } | undefined
  /**
   * `card` for one step or question; `account` for a page of the account, with its navigation. Only routes for `user` can have
   * `account`.
   *
   * @default 'card'
   */
  readonly layout?: 'card' | 'account' | undefined
  /**
   * The section of the account that the page belongs to, as in `accountSections`: the navigation marks it.
   *
   * @default the path of the request
   */
  readonly section?: string | undefined
  /** Further CSS rules. They must be constant text of the plugin, never input of a visitor. */
  readonly style?: string
  /** A script. It must be constant text of the plugin, never input of a visitor. The policy of the page allows it by its hash. */
  readonly script?: string
  /** What a form of the page has from `host.attempts.challenge`. */
  readonly challenge?: ChallengePart | undefined
  /** The only origin to which forms of the page may be sent or redirected; without it, every origin is allowed. */
  readonly formAction?: string
}

/** The problems of a plugin, and their texts. */
export interface ProblemTables {
  readonly problems: ProblemTable
  readonly texts: PluginTexts
}

/** The route of one path: its methods, the object that their modules receive, and its error codes. */
export interface PluginPath extends ProblemTables {
  /** The name of the plugin. */
  readonly plugin: string
  readonly methods: PluginMethods<never>
  readonly own: unknown
  /** Returns the tables of another plugin, whose hook refused what the route began; `undefined` if none has the code. */
  readonly tablesOf?: ((code: string) => ProblemTables | undefined) | undefined
  /** The segment that matches the star at the end of the route. */
  readonly rest: string | undefined
  /** All routes of the plugin. */
  readonly routes: Readonly<Record<string, PluginMethods<never>>>
  /** The path as its plugin names it. */
  readonly route: string
  readonly refusedForms: RefusedForms | undefined
}

/** Loads what shows a form again that was refused: a module of the host. */
export type RefusedForms = () => Promise<object>

/** The HTTP status and the title of each problem code. */
export type ProblemTable = Readonly<
  Record<
    string,
    { readonly status: number } & (
      | { readonly title: string; readonly text?: undefined }
      /** The key of the title among the texts of the plugin. */
      | { readonly text: string; readonly title?: undefined }
    )
  >
>

/** A schema of any library that implements Standard Schema (standardschema.dev, version 1). */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => Awaitable<SchemaResult<Output>>
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined
  }
}

type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] }

export interface SchemaIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}
