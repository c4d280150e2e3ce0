/** The texts of the page, by language and key. */
export const texts = {
  en: {
    'providerTokens:title': 'Access to other services',
    'providerTokens:lead': 'Accounts elsewhere that this site may use in your name.',
    'providerTokens:about': 'Accounts elsewhere that this site may use.',
    'providerTokens:count': { one: '{count} account', other: '{count} accounts' },
    'providerTokens:none': 'No connections',
    'providerTokens:none.about': 'When you connect an account of another site, it is shown here.',
    'providerTokens:connected': '{provider} is connected.',
    'providerTokens:disconnected': '{provider} is disconnected.',
    'providerTokens:ended': 'Access expired',
    'providerTokens:ended.refused': '{provider} did not renew the access.',
    'providerTokens:ended.refused-on': '{provider} did not renew the access, {time}.',
    'providerTokens:ended.expired': 'Expired {time}',
    'providerTokens:ended.unreadable': 'This site can no longer read the access that it stored.',
    'providerTokens:since': 'since {time}',
    'providerTokens:scopes': 'may use {scopes}',
    'providerTokens:connect': 'Reconnect',
    'providerTokens:disconnect': 'Disconnect',
    'providerTokens:question': 'Disconnect {provider}?',
    'providerTokens:question.lead':
      'This site deletes its access to your account there. You can still sign in with {provider}.',
  },
} as const

export type ProviderTokensKey = keyof (typeof texts)['en']
