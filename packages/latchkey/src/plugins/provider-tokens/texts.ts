/** The texts of the page, by language and key. */
export const texts = {
  en: {
    'providerTokens:title': 'Connected accounts',
    'providerTokens:lead': 'Accounts that this site may use in your name.',
    'providerTokens:none': 'No accounts are connected.',
    'providerTokens:connected': '{provider} is connected.',
    'providerTokens:disconnected': '{provider} is disconnected.',
    'providerTokens:ended': 'Your connection to {provider} has ended.',
    'providerTokens:ended.refused': '{provider} did not renew the access.',
    'providerTokens:ended.refused-on': '{provider} did not renew the access on {time}.',
    'providerTokens:ended.expired': 'The access expired on {time}.',
    'providerTokens:ended.unreadable': 'This site can no longer read the access that it stored.',
    'providerTokens:since': 'Connected on {time}',
    'providerTokens:scopes': 'Granted: {scopes}',
    'providerTokens:connect': 'Connect again',
    'providerTokens:connect-it': 'Connect again: {provider}',
    'providerTokens:disconnect': 'Disconnect',
    'providerTokens:disconnect-it': 'Disconnect: {provider}',
    'providerTokens:question': 'Disconnect {provider}?',
    'providerTokens:question.lead':
      'This site deletes its access to your account there. You can still sign in with {provider}.',
    'providerTokens:back': 'Back to the list',
  },
} as const

export type ProviderTokensKey = keyof (typeof texts)['en']
