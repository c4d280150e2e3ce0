/** The texts of the page, by language and key. */
export const texts = {
  en: {
    'sessions:title': 'Where you are signed in',
    'sessions:ended.one': 'The session was ended.',
    'sessions:ended.others': 'All other sessions were ended.',
    'sessions:ended.name': 'The name was saved.',
    'sessions:this-browser': 'This browser',
    'sessions:begun': 'Signed in on {time}',
    'sessions:begun-with': 'Signed in on {time} with {provider}',
    'sessions:seen': 'Last seen on {time}',
    'sessions:network': 'From the network {network}',
    'sessions:sign-out': 'Sign out',
    'sessions:end': 'End',
    'sessions:act': '{act}: {name}',
    'sessions:act-seen': '{act}: {name}, last seen {time}',
    'sessions:others': 'End all others',
    'sessions:others.title': 'End all others?',
    'sessions:others.lead': 'You stay signed in only here.',
    'sessions:all': 'Sign out everywhere',
    'sessions:all.title': 'Sign out everywhere?',
    'sessions:all.lead': 'This browser is also signed out.',
    'sessions:back': 'Back to the list',
    'sessions:program': 'A program',
    'sessions:unknown-browser': 'Unknown browser',
    'sessions:browser-on': '{browser} on {system}',
    'sessions:rename': 'Rename',
    'sessions:rename-it': 'Rename: {name}',
    'sessions:name': 'Name of this session',
    'sessions:save': 'Save',
    'sessions:save-it': 'Save the name of: {name}',
    'sessions:remember': 'Stay signed in on this device',
    'sessions:session_limit':
      'You have the maximum number of sessions. End one of them, and try again.',
    'sessions:reauthentication_required': 'Please sign in again to continue.',
  },
} as const

export type SessionsKey = keyof (typeof texts)['en']
