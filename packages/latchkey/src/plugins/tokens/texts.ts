/** What the pages and refusals say, by language and key. */
export const texts = {
  en: {
    'tokens:invalid_target': 'There are no tokens for this audience.',
    'tokens:invalid_scope': 'The audience has no such scope.',
    'tokens:invalid_token': 'The token is not valid.',
  },
} as const

export type TokensKey = keyof (typeof texts)['en']
