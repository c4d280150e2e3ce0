/** An account at the development identity provider: made of its name. */
export interface IdpAccount {
  readonly id: string
  readonly name: string
  readonly email: string
}

/** The account of a name such as `alice`, or `undefined` when it is none. */
export function parseAccount(text: string): IdpAccount | undefined {
  const id = text.trim().toLowerCase()
  if (!/^[a-z][a-z0-9._-]{0,30}$/.test(id) || /[._-]$|[._-]{2}/.test(id)) return undefined
  const name = id
    .split(/[._-]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(' ')
  return { id, name, email: `${id}@example.test` }
}
