/** A session, as far as the pages show it. */
export interface Visitor {
  user?: { email?: string | null } | undefined
}

/** The two pages of an example, as HTML. */
export declare function pages(framework: string): {
  home(session: Visitor | null): string
  privatePage(session: Visitor | null): string
}
