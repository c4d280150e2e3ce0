/** The texts of the pages, by language and key. */
export const texts = {
  en: {
    'federatedLogout:also': 'Also sign out of {name}',
    'federatedLogout:there': 'the service that you signed in with',
    'federatedLogout:always': 'You will be signed out of {name}, too.',
    'federatedLogout:stays': 'You will still be signed in at {name}.',
    'federatedLogout:continue.title': 'Sign out of {name}',
    'federatedLogout:continue': 'Continue',
    'federatedLogout:signed-out': 'You are signed out',
    'federatedLogout:again': 'Continue with {name}',
    'federatedLogout:home': 'Back to {host}',
  },
} as const

export type LogoutKey = keyof (typeof texts)['en']
