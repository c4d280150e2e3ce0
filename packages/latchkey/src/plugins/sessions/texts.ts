/** The texts of the page, by language and key. */
export const texts = {
  en: {
    'sessions:title': 'Sessions',
    'sessions:lead':
      'The devices on which you are signed in. If you do not recognise one, sign it out.',
    'sessions:about': 'Where you are signed in.',
    'sessions:count': { one: '{count} device', other: '{count} devices' },
    'sessions:ended.one': 'The device was signed out.',
    'sessions:ended.others': 'All other devices were signed out.',
    'sessions:ended.name': 'The name was saved.',
    'sessions:this-browser': 'This device',
    'sessions:begun': 'Signed in {time}',
    'sessions:with': 'with {provider}',
    'sessions:password': 'password',
    'sessions:seen': 'Active {time}',
    'sessions:sign-out': 'Sign out',
    'sessions:others': 'Sign out all others',
    'sessions:others.title': 'Sign out all other devices?',
    'sessions:others.lead': 'They are signed out at once. This device stays signed in.',
    'sessions:others.submit': { one: 'Sign out {count} device', other: 'Sign out {count} devices' },
    'sessions:all': 'Sign out everywhere',
    'sessions:all.about': 'This device is signed out, too.',
    'sessions:all.title': 'Sign out everywhere?',
    'sessions:all.lead': 'All devices are signed out at once, this one too.',
    'sessions:all.submit': { one: 'Sign out {count} device', other: 'Sign out {count} devices' },
    'sessions:program': 'A program',
    'sessions:unknown-browser': 'Unknown browser',
    'sessions:browser-on': '{browser} on {system}',
    'sessions:rename': 'Rename',
    'sessions:name': 'Name of this session',
    'sessions:save': 'Save',
    'sessions:save-it': 'the name of {name}',
    'sessions:remember': 'Keep me signed in on this device',
    'sessions:session_limit':
      'You have the maximum number of sessions. Sign out on one device, and try again.',
    'sessions:reauthentication_required': 'Sign in again to continue.',
  },
} as const

export type SessionsKey = keyof (typeof texts)['en']
