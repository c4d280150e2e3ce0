/** What was done before a page was shown. It comes in a sealed cookie, so a link cannot have a false one. */
export interface Notice {
  /** Names a message of the page. */
  readonly id: string
  /** Parameters of the message, at most two. */
  readonly params?: readonly string[] | undefined
}

/** Returns the id of the notice of a page, if it is one of these. */
export function noticeIn<Id extends string>(
  { notice }: { readonly notice?: Notice | undefined },
  ids: readonly Id[],
): Id | undefined {
  return ids.find((id) => id === notice?.id)
}
